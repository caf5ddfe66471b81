package io.nixlkv.plugin.threefs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.nativeio.UsrbioLibrary;
import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreeFsStrategyTest {
    @TempDir
    Path mount;

    private final ThreeFsStrategy strategy = new ThreeFsStrategy();

    private StrategyConfig config(String... pairs) {
        Map<String, String> given = new HashMap<>(Map.of("mount_point", mount.toString()));
        for (int i = 0; i < pairs.length; i += 2) {
            given.put(pairs[i], pairs[i + 1]);
        }
        return ParameterValues.of(strategy.info().parameters(), given);
    }

    private Optional<String> reason(String engine, StrategyConfig config) {
        return strategy.probe(config).stream()
                .filter(offer -> offer.engine().equals(engine))
                .findFirst()
                .orElseThrow()
                .unavailable();
    }

    @Test
    void itAnswersToNixlsNameToo() {
        assertEquals("3FS", strategy.info().name());
        assertTrue(strategy.info().answersTo("hf3fs"));
        assertEquals(
                List.of("usrbio", "posix", "nixl"),
                strategy.probe(config()).stream().map(EngineOffer::engine).toList());
    }

    @ParameterizedTest
    @CsvSource({"0", "63", "1048577", "-1", "200MB"})
    void theRangeOfTheRingIsToldWithoutTheLibrary(String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> config("iopool_size", value))
                .getMessage();
        assertTrue(message.contains("iopool_size"), message);
        assertTrue(message.contains(value.endsWith("MB") ? "whole number" : "64 … 1048576"), message);
    }

    @ParameterizedTest
    @CsvSource({"64", "100", "1048576"})
    void valuesInTheRangeAreTaken(String value) {
        assertEquals(Long.parseLong(value), config("iopool_size", value).number("iopool_size"));
    }

    @Test
    void theMemoryIsOneOfThree() {
        String message = assertThrows(IllegalArgumentException.class, () -> config("mem_config", "dram_zx"))
                .getMessage();
        assertTrue(message.contains("dram, dram_zc, auto"), message);
        assertEquals("dram", ThreeFsParameters.memory(config("mem_config", "DRAM")));
        assertEquals("dram", ThreeFsParameters.memory(config()));
    }

    @Test
    void theMountPointIsRequired() {
        StrategyConfig config = ParameterValues.of(strategy.info().parameters(), Map.of());
        strategy.probe(config)
                .forEach(offer -> assertTrue(offer.unavailable().orElseThrow().startsWith("mount_point is required")));
    }

    @Test
    void whatIsNot3fsIsRefusedWithWhatWasFound() throws Exception {
        String found = Files.getFileStore(mount).type();
        for (String engine : List.of("usrbio", "posix", "nixl")) {
            String reason = reason(engine, config()).orElseThrow();
            assertTrue(reason.contains(mount + " is not 3FS: found a directory on " + found), reason);
        }
        String missing = reason("posix", config("mount_point", mount + "/none")).orElseThrow();
        assertTrue(missing.contains("does not exist"), missing);
        String file = Files.createFile(mount.resolve("file")).toString();
        assertTrue(reason("posix", config("mount_point", file)).orElseThrow().contains("not a directory"));
    }

    @Test
    void objectsStayBelowTheMount() throws Exception {
        UsrbioStandIn.mount(mount);
        String reason = reason("posix", config("file_path", "/tmp/elsewhere")).orElseThrow();
        assertTrue(reason.contains("/tmp/elsewhere is not below mount_point"), reason);
        try (StorageBackend backend = strategy.open(
                new OpenContext("posix", config("file_path", mount + "/a/b"), new DirectArena(4096), 1))) {
            assertEquals(1, backend.roots());
        }
        assertTrue(Files.isDirectory(mount.resolve("a/b")));
    }

    @Test
    @NeedsStandIn
    void aMissingLibraryIsNamed() throws Exception {
        UsrbioStandIn.mount(mount);
        String before = System.getProperty(UsrbioLibrary.PROPERTY);
        System.clearProperty(UsrbioLibrary.PROPERTY);
        try {
            String reason = reason("usrbio", config()).orElse("libhf3fs_api_shared.so is installed here");
            assertTrue(reason.contains("libhf3fs_api_shared.so"), reason);
        } finally {
            if (before != null) {
                System.setProperty(UsrbioLibrary.PROPERTY, before);
            }
        }
        assertEquals(Optional.empty(), reason("posix", config()));
    }

    @Test
    @NeedsStandIn
    void aRingThatCannotBeMadeIsRefusedByName() throws Exception {
        UsrbioStandIn.use();
        UsrbioStandIn.mount(mount, "noring");
        assertEquals(Optional.empty(), reason("usrbio", config()));
        try (MappedArena arena = MappedArena.of(4096);
                StorageBackend backend = strategy.open(new OpenContext("usrbio", config(), arena, 1))) {
            StorageException refused = assertThrows(StorageException.class, backend::openLane);
            assertEquals(Status.UNAVAILABLE, refused.status());
            assertTrue(refused.getMessage().contains("hf3fs_iorcreate on " + mount), refused.getMessage());
        }
    }

    @Test
    @NeedsStandIn
    void sharedMemoryServesOneWorkerOnly() throws Exception {
        UsrbioStandIn.use();
        UsrbioStandIn.mount(mount);
        StandIn.named("sound").use();
        StrategyConfig config = config("mem_config", "dram_zc");
        assertTrue(reason("usrbio", config).orElseThrow().contains("mem_config must be dram or auto"));
        assertEquals(Optional.empty(), reason("nixl", config));
        try (MappedArena arena = MappedArena.of(4096)) {
            StorageException refused = assertThrows(
                    StorageException.class, () -> strategy.open(new OpenContext("nixl", config, arena, 4)));
            assertTrue(refused.getMessage().contains("num_workers = 1"), refused.getMessage());
        }
    }

    /** Its memory has no name any more while it is in use, so it goes with the process. */
    @Test
    @NeedsStandIn
    void aKilledProcessLeavesNoSharedMemory() throws Exception {
        UsrbioStandIn.use();
        UsrbioStandIn.mount(mount);
        String ours = "hf3fs-iov-standin-" + ProcessHandle.current().pid() + "-";
        try (MappedArena arena = MappedArena.of(1 << 20);
                StorageBackend backend = strategy.open(new OpenContext("usrbio", config(), arena, 1));
                Lane lane = backend.openLane();
                Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(
                    List.of(),
                    shared.map(path -> path.getFileName().toString())
                            .filter(name -> name.startsWith(ours))
                            .toList(),
                    lane::toString);
        }
    }
}
