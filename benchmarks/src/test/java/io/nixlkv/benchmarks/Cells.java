package io.nixlkv.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results without a measurement. */
final class Cells {
    static final Setting SETTING = new Setting(Workload.parse("32x1MiB"), IoMode.BUFFERED);
    private static final int PAIRS = 21;
    private static final long OPPONENT_NANOS = 4_000_000;

    private Cells() {}

    /** @param ratio of every pair @param spread of the opponent's pairs with itself */
    static Comparison comparison(String opponent, double ratio, double spread) {
        long[] ours = new long[PAIRS];
        long[] theirs = new long[PAIRS];
        long[] twin = new long[PAIRS];
        Arrays.fill(ours, Math.round(OPPONENT_NANOS / ratio));
        Arrays.fill(theirs, OPPONENT_NANOS);
        for (int i = 0; i < PAIRS; i++) {
            // the quarters are at indices 5 and 15 of 0 to 20
            twin[i] = Math.round(OPPONENT_NANOS * (1 + spread * (i - 10) / 10));
        }
        Comparison.Figures figures = new Comparison.Figures(
                new Contender.Identity("nixlkv:auto (threads)", "1", 4),
                new Contender.Identity(opponent + ":best", "9", 1),
                new Samples(ours, theirs),
                new Samples(theirs, twin));
        return new Comparison(opponent, new Trial(List.of(tried(opponent))), figures, null);
    }

    static Comparison failed(String opponent, String reason) {
        return new Comparison(opponent, new Trial(List.of(tried(opponent))), null, reason);
    }

    private static Trial.Entry tried(String opponent) {
        return new Trial.Entry(
                new Entrant(opponent + ":best", (setting, folder) -> null),
                "9",
                Map.of(Operation.STORE, 4e6, Operation.LOAD, 4e6),
                null);
    }

    static Cell cell(Operation operation, Target target, Comparison... comparisons) {
        return new Cell(SETTING, operation, "nixlkv:auto", List.of(comparisons), Optional.ofNullable(target), true);
    }
}
