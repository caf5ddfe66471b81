package io.nixlkv.benchmarks;

import java.util.Arrays;

/**
 * The times of one operation in pairs: {@code left[i]} and {@code right[i]} were measured one directly after the other.
 *
 * @param left nanoseconds
 * @param right nanoseconds, as many
 */
record Samples(long[] left, long[] right) {
    Samples {
        if (left.length != right.length) {
            throw new IllegalArgumentException(left.length + " and " + right.length + " times make no pairs");
        }
    }

    /** For each pair, how many times as fast the left side was: above 1 it was the faster one. */
    Distribution ratios() {
        double[] ratios = new double[left.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) right[i] / left[i];
        }
        return Distribution.of(ratios);
    }

    double leftMedianNanos() {
        return median(left);
    }

    double rightMedianNanos() {
        return median(right);
    }

    static double median(long[] nanos) {
        return Distribution.of(Arrays.stream(nanos).asDoubleStream().toArray()).median();
    }
}
