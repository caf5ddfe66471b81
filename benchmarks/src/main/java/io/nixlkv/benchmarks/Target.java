package io.nixlkv.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How fast a subject wants to be: ratios to opponents, all of which count, or one of which is enough.
 *
 * @param ratios by opponent
 * @param all false: it is enough to reach one of them, which is the smaller of two speeds
 */
record Target(Map<String, Double> ratios, boolean all) {
    Target {
        ratios = Map.copyOf(ratios);
    }

    /**
     * What our engines want to reach with files, against the best queue of native NIXL and the best number of threads with plain
     * system calls. Buffered loads: 1.3 times NIXL, unless 0.9 of the limit is less; otherwise both.
     */
    static Target ofFiles(IoMode mode, Operation operation) {
        if (operation == Operation.STORE) {
            return new Target(Map.of(Entrants.NIXL, 1.0, Entrants.SYSCALLS, 0.9), true);
        }
        return mode == IoMode.DIRECT
                ? new Target(Map.of(Entrants.NIXL, 1.0, Entrants.SYSCALLS, 1.0), true)
                : new Target(Map.of(Entrants.NIXL, 1.3, Entrants.SYSCALLS, 0.9), false);
    }

    /** What a static pool wants to reach, against files of native NIXL and slots moved by plain system calls. */
    static Target ofPool(Operation operation) {
        double nixl = operation == Operation.STORE ? 2.0 : 1.3;
        return new Target(Map.of(Entrants.NIXL, nixl, Entrants.SLOTS, 0.8), true);
    }

    /** A ratio to one opponent. */
    static Target of(String opponent, double ratio) {
        return new Target(Map.of(opponent, ratio), true);
    }

    /** This target if every opponent it speaks of takes part. */
    Optional<Target> among(List<String> opponents) {
        return opponents.containsAll(ratios.keySet()) ? Optional.of(this) : Optional.empty();
    }

    /**
     * Judges. A pairing with too restless an opponent, or one that failed, leaves the verdict open only where it could still
     * change it.
     */
    Verdict judge(List<Comparison> comparisons) {
        List<Verdict> parts = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            Double wanted = ratios.get(comparison.opponent());
            if (wanted != null) {
                parts.add(comparison.against(wanted));
            }
        }
        Verdict decisive = all ? Verdict.MISSED : Verdict.MET;
        for (Verdict verdict : List.of(decisive, Verdict.FAILED, Verdict.INCONCLUSIVE)) {
            if (parts.contains(verdict)) {
                return verdict;
            }
        }
        return all ? Verdict.MET : Verdict.MISSED;
    }

    /** As people read it, such as {@code ≥ 1.3 nixl or 0.9 syscalls}. */
    String text() {
        return new TreeMap<>(ratios)
                .entrySet().stream()
                        .map(ratio -> String.format(Locale.ROOT, "%.1f %s", ratio.getValue(), ratio.getKey()))
                        .collect(Collectors.joining(all ? " and " : " or ", "≥ ", ""));
    }
}
