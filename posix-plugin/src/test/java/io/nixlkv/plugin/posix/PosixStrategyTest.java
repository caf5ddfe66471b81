package io.nixlkv.plugin.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PosixStrategyTest {
    @TempDir
    Path directory;

    private final PosixStrategy strategy = new PosixStrategy();

    private StrategyConfig config(String... pairs) {
        Map<String, String> given = new HashMap<>(Map.of("file_path", directory.toString()));
        for (int at = 0; at < pairs.length; at += 2) {
            given.put(pairs[at], pairs[at + 1]);
        }
        return ParameterValues.of(strategy.info().parameters(), given);
    }

    private StorageBackend open(StrategyConfig config) {
        return strategy.open(new OpenContext("nio", config, new DirectArena(4096), 1));
    }

    @Test
    void isFoundByTheServiceLoader() {
        List<StorageStrategy> found = ServiceLoader.load(StorageStrategy.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        assertEquals(1, found.size());
        assertEquals("POSIX", found.get(0).info().name());
        assertEquals(300, found.get(0).info().autoRank());
    }

    @Test
    void defaultsAreTheDocumentedOnes() {
        StrategyConfig plain = ParameterValues.of(strategy.info().parameters(), Map.of());
        assertEquals(List.of("/tmp/hicache_storage"), plain.paths("file_path"));
        assertTrue(plain.flag("use_direct_io"));
        assertFalse(plain.flag("sync"));
        assertEquals("0644", plain.text("file_mode"));
        assertEquals("0750", plain.text("dir_mode"));
        assertEquals(65536, plain.number("ios_pool_size"));
        assertEquals(256, plain.number("kernel_queue_size"));
        assertEquals(
                List.of("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR"),
                strategy.info().parameter("file_path").orElseThrow().environment());
    }

    @Test
    void offersEveryEngineAndChangesNothing() throws IOException {
        List<EngineOffer> offers = strategy.probe(config("file_path", directory + "/a/b," + directory + "/c"));
        assertEquals(
                List.of("uring", "aio", "threads", "posix_aio", "nio", "nixl"),
                offers.stream().map(EngineOffer::engine).toList());
        EngineOffer nio = offers.get(4);
        assertEquals(Set.of(Segment.DRAM_SEG, Segment.FILE_SEG), nio.segments());
        assertTrue(nio.unavailable().isEmpty());
        assertEquals(Set.of(Feature.values()), nio.can().features());
        assertEquals(Files.getFileStore(directory).getBlockSize(), nio.can().alignment());
        try (var entries = Files.list(directory)) {
            assertEquals(0, entries.count());
        }
        List<EngineOffer> throughTheCache = strategy.probe(config("use_direct_io", "false"));
        assertEquals(
                List.of("threads", "uring", "aio", "posix_aio", "nio", "nixl"),
                throughTheCache.stream().map(EngineOffer::engine).toList());
        EngineOffer buffered = throughTheCache.get(0);
        assertFalse(buffered.can().has(Feature.DIRECT_IO));
        assertEquals(1, buffered.can().alignment());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "use_uring|true|use_aio|true|use_uring and use_aio exclude each other",
                "file_path|/a,~/kv|use_aio|false|file_path ~/kv: only a shell knows ~",
                "file_path|$HOME/kv|use_aio|false|file_path $HOME/kv: only a shell replaces variables",
                "file_path|/a,/data/${USER}|use_aio|false|file_path /data/${USER}: only a shell replaces variables",
                "file_mode|0755|dir_mode|0750|executable",
                "file_mode|0644|dir_mode|rwx|octal",
                "ios_pool_size|63|kernel_queue_size|0|ios_pool_size must be 0 (default) or at least 64",
                "ios_pool_size|0|kernel_queue_size|15|kernel_queue_size must be 0 (default) or at least 16",
            })
    void wrongCombinationsAreUnavailableAndNotOpened(
            String key, String value, String key2, String value2, String words) {
        StrategyConfig wrong = config(key, value, key2, value2);
        String reason = strategy.probe(wrong).get(0).unavailable().orElseThrow();
        assertTrue(reason.contains(words), reason);
        StorageException refused = assertThrows(StorageException.class, () -> open(wrong));
        assertEquals(Status.INVALID, refused.status());
        assertTrue(refused.getMessage().contains(words), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"ios_pool_size,-1", "ios_pool_size,65537", "ios_pool_size,abc", "kernel_queue_size,1025"})
    void valuesOutOfRangeAreRefused(String key, String value) {
        assertThrows(IllegalArgumentException.class, () -> config(key, value));
    }

    @Test
    void aFileInThePlaceOfTheDirectoryIsNamed() throws IOException {
        Path file = Files.write(directory.resolve("f"), new byte[1]);
        String reason = strategy.probe(config("file_path", file.toString()))
                .get(0)
                .unavailable()
                .orElseThrow();
        assertTrue(reason.contains(file + " is a file"), reason);
    }

    @Test
    void aNativeQueueFallsBackWithOneWarning() {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                warnings.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(PosixStrategy.class.getName());
        logger.addHandler(handler);
        try (StorageBackend backend = open(config("use_uring", "true"))) {
            assertEquals(1, backend.roots());
            assertEquals(1, warnings.size());
            assertTrue(warnings.get(0).contains("use_uring = true (call)"), warnings.get(0));
            assertTrue(warnings.get(0).contains("engine nio is used instead"), warnings.get(0));
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void theWantedQueueComesFirst() {
        assertEquals(
                "posix_aio",
                strategy.probe(config("use_posix_aio", "true")).get(0).engine());
    }

    @Test
    void nativeEnginesAreUsableOrSayWhyNot() {
        for (EngineOffer offer : strategy.probe(config())) {
            if (offer.engine().equals("nixl")) {
                assertEquals(NixlEngine.problem("POSIX"), offer.unavailable());
                continue;
            }
            boolean expected = offer.engine().equals("nio") || NativeIo.isAvailable();
            // io_uring may be forbidden here although the library is loaded
            if (!offer.engine().equals("uring")) {
                assertEquals(expected, offer.unavailable().isEmpty(), offer.toString());
            }
            if (!expected) {
                assertEquals(NativeIo.unavailableReason(), offer.unavailable());
            }
        }
    }

    @Test
    void unknownEnginesAreRefused() {
        StorageException refused = assertThrows(
                StorageException.class,
                () -> strategy.open(new OpenContext("nixl2", config(), new DirectArena(4096), 1)));
        assertTrue(refused.getMessage().contains("no engine \"nixl2\""), refused.getMessage());
    }

    @Test
    void severalDirectoriesAreRoots() {
        StorageBackend backend = open(config("file_path", directory + "/a, " + directory + "/b"));
        assertEquals(2, backend.roots());
        assertEquals(4, backend.report().facts().size());
        backend.close();
        StorageException closed = assertThrows(StorageException.class, backend::openLane);
        assertEquals(Status.UNAVAILABLE, closed.status());
    }
}
