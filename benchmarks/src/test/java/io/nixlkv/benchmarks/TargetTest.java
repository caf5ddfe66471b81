package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {
    private static final Target BOTH = Target.ofFiles(IoMode.BUFFERED, Operation.STORE);
    private static final Target EITHER = Target.ofFiles(IoMode.BUFFERED, Operation.LOAD);

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, STORE, ≥ 1.0 nixl and 0.9 syscalls",
        "BUFFERED, LOAD, ≥ 1.3 nixl or 0.9 syscalls",
        "DIRECT, STORE, ≥ 1.0 nixl and 0.9 syscalls",
        "DIRECT, LOAD, ≥ 1.0 nixl and 1.0 syscalls"
    })
    void ofTheProject(IoMode mode, Operation operation, String expected) {
        assertEquals(expected, Target.ofFiles(mode, operation).text());
    }

    /** Ratio and spread to NIXL, then to plain system calls. */
    @ParameterizedTest
    @CsvSource({
        "1.00, 0.10, 0.90, 0.10, MET",
        "0.96, 0.10, 0.86, 0.10, MET",
        "0.94, 0.10, 2.00, 0.10, MISSED",
        "2.00, 0.10, 0.85, 0.10, MISSED",
        "0.90, 0.10, 2.00, 0.90, MISSED",
        "2.00, 0.90, 2.00, 0.10, INCONCLUSIVE",
        "0.10, 0.90, 2.00, 0.90, INCONCLUSIVE"
    })
    void bothRatiosCount(double nixl, double nixlSpread, double limit, double limitSpread, Verdict expected) {
        assertEquals(
                expected,
                BOTH.judge(List.of(
                        Cells.comparison("nixl", nixl, nixlSpread), Cells.comparison("syscalls", limit, limitSpread))));
    }

    @ParameterizedTest
    @CsvSource({
        "1.30, 0.10, 0.10, 0.10, MET",
        "0.10, 0.10, 0.90, 0.10, MET",
        "1.20, 0.10, 0.80, 0.10, MISSED",
        "2.00, 0.90, 0.90, 0.10, MET",
        "2.00, 0.90, 0.80, 0.10, INCONCLUSIVE",
        "1.20, 0.10, 0.80, 0.90, INCONCLUSIVE"
    })
    void oneRatioIsEnough(double nixl, double nixlSpread, double limit, double limitSpread, Verdict expected) {
        assertEquals(
                expected,
                EITHER.judge(List.of(
                        Cells.comparison("nixl", nixl, nixlSpread), Cells.comparison("syscalls", limit, limitSpread))));
    }

    @Test
    void aFailureIsAVerdictOnlyWhereItDecides() {
        Comparison failed = Cells.failed("nixl", "no library");
        assertEquals(Verdict.FAILED, BOTH.judge(List.of(failed, Cells.comparison("syscalls", 2, 0))));
        assertEquals(Verdict.MISSED, BOTH.judge(List.of(failed, Cells.comparison("syscalls", 0.5, 0))));
        assertEquals(Verdict.MET, EITHER.judge(List.of(failed, Cells.comparison("syscalls", 2, 0))));
        assertEquals(Verdict.FAILED, EITHER.judge(List.of(failed, Cells.comparison("syscalls", 0.5, 0))));
    }

    @Test
    void thereIsNoneUnlessEveryOpponentTakesPart() {
        assertEquals(Optional.of(BOTH), BOTH.among(List.of("syscalls", "nixl", "lmcache:fs_native")));
        assertTrue(BOTH.among(List.of("nixl")).isEmpty());
        assertEquals("≥ 1.2 lmcache", Target.of("lmcache", 1.2).text());
    }
}
