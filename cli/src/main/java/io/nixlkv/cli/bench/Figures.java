package io.nixlkv.cli.bench;

import java.util.Arrays;

/** Statistics of a few values; percentiles by nearest rank, as LMCache's bench takes them. All 0 when there is no value. */
public final class Figures {
    private final double[] sorted;

    Figures(double[] values) {
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    public double average() {
        double sum = 0;
        for (double value : sorted) {
            sum += value;
        }
        return sorted.length == 0 ? 0 : sum / sorted.length;
    }

    public double min() {
        return sorted.length == 0 ? 0 : sorted[0];
    }

    public double max() {
        return sorted.length == 0 ? 0 : sorted[sorted.length - 1];
    }

    /** The value below or at which {@code percent} of all values lie. */
    public double percentile(double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
    }

    /** Standard deviation of the values as a population. */
    public double deviation() {
        double mean = average();
        double sum = 0;
        for (double value : sorted) {
            sum += (value - mean) * (value - mean);
        }
        return sorted.length == 0 ? 0 : Math.sqrt(sum / sorted.length);
    }
}
