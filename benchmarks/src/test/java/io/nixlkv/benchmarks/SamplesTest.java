package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void aRatioAboveOneMeansThatTheLeftSideWasFaster() {
        Samples samples = new Samples(new long[] {100, 100, 100}, new long[] {200, 150, 400});
        assertEquals(2.0, samples.ratios().median());
    }

    /** The machine slows down tenfold in the middle: every pair still says 2, although the medians of the sides say less. */
    @Test
    void ratiosAreTakenPairByPair() {
        Samples samples = new Samples(new long[] {10, 100, 1000}, new long[] {20, 200, 2000});
        assertEquals(new Distribution(2, 2, 2), samples.ratios());
        assertEquals(100, samples.leftMedianNanos());
        assertEquals(200, samples.rightMedianNanos());
    }

    @Test
    void theMedianOfRatiosIsNotTheRatioOfMedians() {
        Samples samples = new Samples(new long[] {10, 30, 20}, new long[] {30, 30, 10});
        assertEquals(1.0, samples.ratios().median());
        assertEquals(1.5, samples.rightMedianNanos() / samples.leftMedianNanos());
    }

    @Test
    void timesWithoutPartnersAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Samples(new long[2], new long[3]));
    }
}
