package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

    @ParameterizedTest
    @CsvSource({
        "32x1MiB, 32, 1048576, 32x1MiB",
        "128x256KiB, 128, 262144, 128x256KiB",
        "4x4096, 4, 4096, 4x4KiB",
        "1x1GiB, 1, 1073741824, 1x1GiB",
        "2x10000B, 2, 10000, 2x10000B"
    })
    void isReadAndWritten(String text, int objects, int bytes, String label) {
        Workload workload = Workload.parse(text);
        assertEquals(new Workload(objects, bytes), workload);
        assertEquals(label, workload.label());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "32", "x1MiB", "0x1MiB", "1x0", "-1x4", "32x1MB", "1025x1MiB", "1x4GiB", "4x8589934593GiB"})
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Workload.parse(text));
    }
}
