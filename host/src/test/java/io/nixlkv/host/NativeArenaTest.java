package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeArenaTest {
    private static final Path PAGES = Path.of("/proc/sys/vm/nr_hugepages");

    @Test
    void ordinaryPagesNeedNothing() {
        MemoryArena arena = NativeArena.ofStore(settings(0.01, false));
        assertEquals(1, arena.segments());
        assertTrue(arena.segment(0).capacity() >= 10_737_418);
    }

    @Test
    void hugePagesThatAreNotThereAreRefusedWithTheCommand() {
        StorageException refused =
                assertThrows(StorageException.class, () -> NativeArena.ofStore(settings(4096, true)));
        assertTrue(refused.getMessage().contains("hugepages = true needs"), refused.getMessage());
        assertTrue(refused.getMessage().contains("or set hugepages = false"), refused.getMessage());
        if (NativeIo.isAvailable()) {
            assertEquals(Status.NO_SPACE, refused.status());
            assertTrue(
                    refused.getMessage().contains("needs 2097152 pages of 2 MiB")
                            && refused.getMessage().contains("sysctl -w vm.nr_hugepages="),
                    refused.getMessage());
        } else {
            assertEquals(Status.UNSUPPORTED, refused.status());
        }
    }

    @Test
    void hugePagesThatAreThereAreUsed() throws IOException {
        assumeTrue(NativeIo.isAvailable(), () -> NativeIo.unavailableReason().orElse(""));
        assumeTrue(Files.isWritable(PAGES), "setting huge pages aside needs root");
        String before = Files.readString(PAGES).strip();
        Files.writeString(PAGES, Long.toString(Long.parseLong(before) + 4));
        try {
            long free = free();
            assumeTrue(free >= 4, "the system gave only " + free + " huge pages");
            MemoryArena arena = NativeArena.ofStore(settings(0.0078125, true));
            assertEquals(8 << 20, arena.segment(0).capacity());
            assertEquals(free - 4, free());
            arena.segment(0).put((8 << 20) - 1, (byte) 1);
        } finally {
            Files.writeString(PAGES, before);
        }
    }

    private static long free() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"))
                .strip());
    }

    private static StoreSettings settings(double gib, boolean hugePages) {
        return HostConfig.parse(
                        "[store]\narena_gb = " + gib + "\nhugepages = " + hugePages + "\n", "test.toml", Map.of())
                .store();
    }
}
