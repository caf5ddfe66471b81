package io.nixlkv.benchmarks;

import java.util.Arrays;

/**
 * Median and quartiles of a sample. Quartiles between two values are interpolated linearly.
 *
 * @param q1 a quarter of the values is below
 * @param median the middle value
 * @param q3 a quarter of the values is above
 */
record Distribution(double q1, double median, double q3) {

    /** @throws IllegalArgumentException if there is no value */
    static Distribution of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no value, no distribution");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Distribution(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    /** The interquartile range as a share of the median. */
    double spread() {
        return (q3 - q1) / median;
    }

    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) Math.floor(at);
        int above = (int) Math.ceil(at);
        return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
    }
}
