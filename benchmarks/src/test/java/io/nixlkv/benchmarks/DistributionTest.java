package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DistributionTest {
    private static final double EXACT = 1e-12;

    @Test
    void oneValueIsAllThree() {
        Distribution one = Distribution.of(3.5);
        assertEquals(new Distribution(3.5, 3.5, 3.5), one);
        assertEquals(0, one.spread(), EXACT);
    }

    @Test
    void anOddNumberOfValuesHasAMiddleOne() {
        Distribution odd = Distribution.of(5, 1, 4, 2, 3);
        assertEquals(new Distribution(2, 3, 4), odd);
        assertEquals(2.0 / 3, odd.spread(), EXACT);
    }

    @Test
    void betweenTwoValuesIsInterpolated() {
        Distribution even = Distribution.of(40, 10, 30, 20);
        assertEquals(17.5, even.q1(), EXACT);
        assertEquals(25, even.median(), EXACT);
        assertEquals(32.5, even.q3(), EXACT);
        assertEquals(0.6, even.spread(), EXACT);
    }

    @Test
    void oneOutlierMovesNeitherMedianNorSpread() {
        assertEquals(Distribution.of(1, 2, 3, 4, 5), Distribution.of(1, 2, 3, 4, 1000));
    }

    @Test
    void nothingHasNoDistribution() {
        assertThrows(IllegalArgumentException.class, Distribution::of);
    }
}
