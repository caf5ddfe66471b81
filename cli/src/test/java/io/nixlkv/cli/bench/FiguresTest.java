package io.nixlkv.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void percentilesAreNearestRank() {
        Figures figures = new Figures(new double[] {4, 1, 3, 2});
        assertEquals(2.5, figures.average());
        assertEquals(1, figures.min());
        assertEquals(4, figures.max());
        assertEquals(2, figures.percentile(50));
        assertEquals(4, figures.percentile(99));
        assertEquals(Math.sqrt(1.25), figures.deviation(), 1e-12);
    }

    @Test
    void nothingMeasuredIsZero() {
        Figures none = new Figures(new double[0]);
        assertEquals(0, none.average() + none.min() + none.max() + none.percentile(50) + none.deviation());
    }

    @Test
    void bytesComeFromCompletedObjectsOnly() {
        OperationResult result = new OperationResult("store", 10, 1 << 20);
        result.add(new OperationResult.Round(1_000_000_000, 4, true));
        assertEquals(4.0, result.throughputs().average());
        assertEquals(4L << 20, result.totalMovedBytes());
        assertEquals(4, result.totalSuccess());
        assertEquals(10, result.totalKeys());
        assertEquals(1, result.roundsTimedOut());
    }
}
