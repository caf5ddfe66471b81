package io.nixlkv.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void reasonsThatDifferInKeysAndNumbersAreOne() {
        Failures failures = new Failures();
        for (int i = 0; i < 1199; i++) {
            String key = "bench-model@" + i;
            failures.add(key, "store " + key + " in slot " + i + ": the pool of 64 slots is full");
        }
        failures.add("k", "load k: the bytes differ");
        assertEquals(
                List.of(
                        "store bench-model@0 in slot 0: the pool of 64 slots is full (and 1198 more like it)",
                        "load k: the bytes differ"),
                failures.lines());
    }

    @Test
    void tenReasonsAreTold() {
        Failures failures = new Failures();
        for (char c = 'a'; c < 'a' + 12; c++) {
            failures.add("key", "reason " + c);
        }
        assertEquals(11, failures.lines().size());
        assertEquals("and 2 more failures; 12 in all", failures.lines().get(10));
    }
}
