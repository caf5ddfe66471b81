package io.nixlkv.host.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the key that a mistyped one was meant to be. */
public final class NearestKey {
    private NearestKey() {}

    /** The candidate with the smallest edit distance, if at most a third of the key (and at least two letters) differs. */
    public static Optional<String> of(String key, Collection<String> candidates) {
        int most = Math.max(2, key.length() / 3);
        return candidates.stream()
                .filter(candidate -> distance(key, candidate) <= most)
                .min(Comparator.<String>comparingInt(candidate -> distance(key, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
    static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = from.charAt(i - 1) == to.charAt(j - 1);
                int best = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    best = Math.min(best, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = best;
            }
        }
        return cost[from.length()][to.length()];
    }
}
