package io.nixlkv.cli.bench;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a run under the names of {@code lmcache bench l2} (LMCache 0.5, {@code lmcache/cli/commands/bench}), as a table or as
 * a document of its shape, with medians beside the averages.
 *
 * @param plan what was done
 * @param results store, lookup, load
 * @param setting what it ran on, in the order to be shown; values are numbers, booleans, texts or lists
 * @param mismatched objects whose loaded bytes were wrong
 */
public record BenchReport(BenchPlan plan, List<OperationResult> results, Map<String, Object> setting, int mismatched) {

    static final String TITLE = "L2 Adapter Benchmark Result";
    private static final int WIDTH = 64;
    private static final double MIB = 1048576.0;

    /** {@code passed}, {@code failed} or {@code skipped}. */
    public String verification() {
        if (!plan.verify()) {
            return "skipped";
        }
        return verifiedObjects() == plan.keysPerRound() ? "passed" : "failed";
    }

    /** Whether everything was stored, found, loaded and, if wanted, right. */
    public boolean clean() {
        for (OperationResult result : results) {
            if (result.totalSuccess() != result.totalKeys() || result.rounds().size() != plan.rounds()) {
                return false;
            }
        }
        return !verification().equals("failed");
    }

    private int verifiedObjects() {
        List<OperationResult.Round> loads = results.get(results.size() - 1).rounds();
        int loaded = loads.size() == plan.rounds() ? loads.get(loads.size() - 1).done() : 0;
        return plan.verify() ? loaded - mismatched : 0;
    }

    /** The document. */
    public Map<String, Object> document() {
        Map<String, Object> metrics = new LinkedHashMap<>();
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("l2_adapter_json", "");
        config.put("num_keys", plan.numKeys());
        config.put("in_flight", plan.inFlight());
        config.put("keys_per_round", plan.keysPerRound());
        config.put("data_size_kb", plan.objectBytes() / 1024);
        config.put("data_per_round_mb", rounded(roundMib(), 2));
        config.put("measurement_rounds", plan.rounds());
        config.put("warmup_rounds", plan.warmupRounds());
        config.put("lookup_max_hit_rate", 1.0);
        metrics.put("config", config);
        for (int i = 0; i < results.size(); i++) {
            Map<String, Object> operation = new LinkedHashMap<>();
            operation.put("operation", results.get(i).operation());
            for (Figure figure : figures(results.get(i))) {
                operation.put(figure.name, figure.value);
            }
            metrics.put("op_" + i, operation);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("title", TITLE);
        document.put("metrics", metrics);
        document.put("selection", setting);
        document.put("verification", verification());
        document.put("verified", verification().equals("passed"));
        document.put("verified_bytes", (long) verifiedObjects() * plan.objectBytes());
        document.put("mismatched_objects", mismatched);
        return document;
    }

    /** How far each operation came, instead of figures that mean nothing when objects failed. */
    public void printCounts(PrintStream out) {
        for (OperationResult result : results) {
            out.println(result.operation() + ": " + result.totalSuccess() + " of " + result.totalKeys() + " objects");
        }
    }

    /** Prints the table. */
    public void print(PrintStream out) {
        String title = " " + TITLE + " ";
        int left = (WIDTH - title.length()) / 2;
        out.println("=".repeat(left) + title + "=".repeat(WIDTH - left - title.length()));
        section("Configuration", out);
        setting.forEach((name, value) -> line(name.replace('_', ' '), value, out));
        line("Keys / batch", plan.numKeys(), out);
        line("In-flight batches", plan.inFlight(), out);
        line("Data size (KiB)", plan.objectBytes() / 1024, out);
        line("Data / round (MiB)", rounded(roundMib(), 2), out);
        line("Warm-up rounds", plan.warmupRounds(), out);
        for (OperationResult result : results) {
            String name = result.operation();
            section(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), out);
            for (Figure figure : figures(result)) {
                line(figure.label, figure.value, out);
            }
        }
        section("Verification", out);
        line("Last round, every byte", verification(), out);
        line("Verified objects", verifiedObjects() + " of " + plan.keysPerRound(), out);
        out.println("=".repeat(WIDTH));
    }

    private double roundMib() {
        return plan.keysPerRound() * (double) plan.objectBytes() / MIB;
    }

    private record Figure(String name, String label, Object value) {}

    private List<Figure> figures(OperationResult result) {
        Figures duration = result.durations();
        List<Figure> figures = new java.util.ArrayList<>();
        figures.add(new Figure("rounds", "Rounds", result.rounds().size()));
        figures.add(new Figure("rounds_timed_out", "Rounds timed out", result.roundsTimedOut()));
        figures.add(new Figure("keys_per_round", "Keys / round", result.keysPerRound()));
        figures.add(new Figure("total_keys", "Total keys", result.totalKeys()));
        figures.add(new Figure("total_success", "Total success", result.totalSuccess()));
        figures.add(new Figure("duration_avg_ms", "Duration avg (ms)", rounded(duration.average(), 2)));
        figures.add(new Figure("duration_min_ms", "Duration min (ms)", rounded(duration.min(), 2)));
        figures.add(new Figure("duration_max_ms", "Duration max (ms)", rounded(duration.max(), 2)));
        figures.add(new Figure("duration_p50_ms", "Duration p50 (ms)", rounded(duration.percentile(50), 2)));
        figures.add(new Figure("duration_p99_ms", "Duration p99 (ms)", rounded(duration.percentile(99), 2)));
        figures.add(new Figure("duration_std_ms", "Duration std (ms)", rounded(duration.deviation(), 2)));
        if (!result.operation().equals("lookup")) {
            Figures rate = result.throughputs();
            figures.add(new Figure("throughput_avg_mbps", "Throughput avg (MiB/s)", rounded(rate.average(), 2)));
            figures.add(new Figure("throughput_p50_mbps", "Throughput p50 (MiB/s)", rounded(rate.percentile(50), 2)));
            figures.add(new Figure("throughput_min_mbps", "Throughput min (MiB/s)", rounded(rate.min(), 2)));
            figures.add(new Figure("throughput_max_mbps", "Throughput max (MiB/s)", rounded(rate.max(), 2)));
            figures.add(new Figure("completed_bytes", "Completed bytes", result.totalMovedBytes()));
        }
        Figures operations = result.rates();
        figures.add(new Figure("ops_per_sec_avg", "Avg ops/s", rounded(operations.average(), 2)));
        figures.add(new Figure("ops_per_sec_p50", "Ops/s p50", rounded(operations.percentile(50), 2)));
        figures.add(new Figure(
                "latency_per_key_ms",
                "Avg latency / key (ms)",
                rounded(duration.average() / result.keysPerRound(), 3)));
        if (result.operation().equals("lookup")) {
            double hits = result.totalKeys() == 0 ? 0 : (double) result.totalSuccess() / result.totalKeys();
            figures.add(new Figure("expected_max_hit_rate", "Expected max hit rate", 1.0));
            figures.add(new Figure("expected_hit_count", "Expected hit keys", result.totalKeys()));
            figures.add(new Figure("actual_hit_rate", "Actual hit rate", rounded(hits, 4)));
        }
        return figures;
    }

    private static double rounded(double value, int digits) {
        double unit = Math.pow(10, digits);
        return Math.round(value * unit) / unit;
    }

    private static void section(String name, PrintStream out) {
        String middle = " " + name + " ";
        int left = (WIDTH - middle.length()) / 2;
        out.println("-".repeat(left) + middle + "-".repeat(WIDTH - left - middle.length()));
    }

    private static void line(String label, Object value, PrintStream out) {
        String left = label + ":";
        String text = String.valueOf(value);
        out.println(left + " ".repeat(Math.max(1, WIDTH - left.length() - text.length())) + text);
    }
}
