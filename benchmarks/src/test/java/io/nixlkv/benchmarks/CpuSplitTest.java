package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuSplitTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"0-1; 0; 1", "3,7; 3; 7", "5,8-11; 5; 8", "0-63; 0; 1", " 2-4 ; 2; 3"})
    void theFirstTwoAllowed(String allowed, int server, int client) {
        assertEquals(new CpuSplit(server, client), CpuSplit.of(allowed));
    }

    @Test
    void oneCpuIsNotEnough() {
        assertEquals(
                "a server and its clients need a CPU each; this process may use only 4",
                assertThrows(ContenderException.class, () -> CpuSplit.of("4")).getMessage());
    }

    @Test
    void aServerIsStartedOnItsOwn() {
        assertEquals(List.of("taskset", "-c", "2", "minio", "x"), new CpuSplit(2, 3).onServer(List.of("minio", "x")));
    }
}
