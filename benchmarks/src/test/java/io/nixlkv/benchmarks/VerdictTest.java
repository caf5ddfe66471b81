package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

    @ParameterizedTest
    @CsvSource({
        "1.20, 0.00, 1.0, MET",
        "0.95, 0.15, 1.0, MET",
        "0.949, 0.15, 1.0, MISSED",
        "0.76, 0.10, 0.8, MET",
        "0.7599, 0.10, 0.8, MISSED",
        "5.00, 0.1501, 1.0, INCONCLUSIVE",
        "0.10, 0.1501, 1.0, INCONCLUSIVE"
    })
    void judges(double ratio, double spread, double target, Verdict expected) {
        assertEquals(expected, Verdict.of(ratio, spread, target));
    }
}
