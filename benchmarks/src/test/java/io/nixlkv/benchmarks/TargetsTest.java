package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetsTest {
    private static final Entrant OURS = new Entrant("nixlkv:auto", (setting, folder) -> null);

    @ParameterizedTest
    @CsvSource({
        "32x1MiB, LOAD, 1.0",
        "32x1MiB, STORE, 0.9",
        "128x256KiB, LOAD, 0.75",
        "128x256KiB, STORE, 0.8",
        "512x64KiB, LOAD, "
    })
    void theProjectsOwn(String workload, Operation operation, Double expected) {
        Setting setting = new Setting(Workload.parse(workload), IoMode.BUFFERED);
        assertEquals(
                expected == null ? OptionalDouble.empty() : OptionalDouble.of(expected),
                Targets.parse(Targets.DEFAULT).find(setting, operation, OURS, "nixl"));
    }

    @Test
    void otherPairingsHaveNone() {
        Targets targets = Targets.parse("direct/4x1024KiB/load=2");
        Setting setting = new Setting(Workload.parse("4x1MiB"), IoMode.DIRECT);
        assertEquals(OptionalDouble.of(2), targets.find(setting, Operation.LOAD, OURS, "nixl"));
        assertTrue(targets.find(setting, Operation.STORE, OURS, "nixl").isEmpty());
        assertTrue(targets.find(setting, Operation.LOAD, OURS, "syscalls").isEmpty());
        Entrant peer = new Entrant("syscalls:2", (unused, folder) -> null);
        assertTrue(targets.find(setting, Operation.LOAD, peer, "nixl").isEmpty());
        assertTrue(targets.find(new Setting(setting.workload(), IoMode.BUFFERED), Operation.LOAD, OURS, "nixl")
                .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"32x1MiB/load=1", "buffered/32x1MiB/load", "buffered/x/load=1", "buffered/1x1/list=1", "?"})
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Targets.parse(text));
    }

    @Test
    void anEmptyTextHasNone() {
        assertTrue(Targets.parse("").ratios().isEmpty());
    }
}
