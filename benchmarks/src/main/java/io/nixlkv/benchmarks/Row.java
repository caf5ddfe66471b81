package io.nixlkv.benchmarks;

import java.util.List;
import java.util.Locale;

/** A result as people read it. */
final class Row {
    static final List<String> HEADER = List.of(
            "objects",
            "operation",
            "how",
            "subject",
            "threads",
            "MiB/s",
            "opponent",
            "threads",
            "MiB/s",
            "ratio (quartiles)",
            "opponent with itself",
            "target",
            "verdict");

    private static final String NOTHING = "-";

    private Row() {}

    /** The cells, one for each column. */
    static List<String> of(Result result) {
        String workload = result.setting().workload().label();
        String how = result.setting().mode().label() + ", sync off, warm";
        String target =
                result.target().isPresent() ? number("%.2f", result.target().getAsDouble()) : NOTHING;
        Result.Figures figures = result.figures();
        if (figures == null) {
            return List.of(
                    workload,
                    result.operation().label(),
                    how,
                    result.subject().name(),
                    NOTHING,
                    NOTHING,
                    result.opponent(),
                    NOTHING,
                    NOTHING,
                    NOTHING,
                    NOTHING,
                    target,
                    "failed: " + result.failure());
        }
        Distribution ratios = figures.samples().ratios();
        Distribution itself = figures.peerWithItself().ratios();
        int bytes = result.setting().workload().batchBytes();
        return List.of(
                workload,
                result.operation().label(),
                how,
                figures.ours().name(),
                Integer.toString(figures.ours().threads()),
                number("%.0f", mebibytes(bytes, figures.samples().leftMedianNanos())),
                figures.peer().name(),
                Integer.toString(figures.peer().threads()),
                number("%.0f", mebibytes(bytes, figures.samples().rightMedianNanos())),
                number("%.2f (%.2f to %.2f)", ratios.median(), ratios.q1(), ratios.q3()),
                number("%.2f, spread %.0f %%", itself.median(), itself.spread() * 100),
                target,
                result.verdict().label());
    }

    /** MiB in a second. */
    static double mebibytes(long bytes, double nanos) {
        return bytes / (double) (1 << 20) / (nanos / 1e9);
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
