package io.nixlkv.plugin.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NeedsStandIn
class GdsStrategyTest {
    @TempDir
    Path directory;

    private StrategyConfig config(StorageStrategy strategy, String... pairs) {
        Map<String, String> given = new HashMap<>(Map.of("file_path", directory + "/store"));
        for (int i = 0; i < pairs.length; i += 2) {
            given.put(pairs[i], pairs[i + 1]);
        }
        return ParameterValues.of(strategy.info().parameters(), given);
    }

    private String unavailable(StorageStrategy strategy) {
        EngineOffer offer = strategy.probe(config(strategy)).get(0);
        assertEquals("nixl", offer.engine());
        assertEquals(Set.of(Segment.DRAM_SEG, Segment.VRAM_SEG, Segment.FILE_SEG), offer.segments());
        return offer.unavailable().orElse("");
    }

    @Test
    void bothAreFoundByTheServiceLoader() {
        assertEquals(
                Set.of("GDS", "GDS_MT"),
                ServiceLoader.load(StorageStrategy.class).stream()
                        .map(found -> found.get().info().name())
                        .collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @CsvSource({
        "batch_limit, 0",
        "batch_limit, -1",
        "batch_limit, 129",
        "batch_limit, x",
        "batch_pool_size, 0",
        "max_request_size, 0",
        "max_request_size, 1",
        "max_request_size, 16777217"
    })
    void valuesOutOfRangeAreRefusedWithTheRange(String key, String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> config(new GdsStrategy(), key, value))
                .getMessage();
        assertTrue(message.contains(key) && message.contains(value), message);
    }

    @ParameterizedTest
    @CsvSource({"0", "10000"})
    void threadsOutOfRangeAreRefused(String value) {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> config(new GdsMtStrategy(), "thread_count", value))
                .getMessage();
        assertTrue(message.contains("1 … 1024"), message);
    }

    @ParameterizedTest
    @CsvSource({"batch_limit, 1", "batch_limit, 128", "max_request_size, 1MiB", "max_request_size, 4096"})
    void valuesInRangeAreTaken(String key, String value) {
        assertEquals(value, config(new GdsStrategy(), key, value).text(key));
    }

    @Test
    void aSoundPluginIsAvailable() {
        StandIn.named("sound").use();
        assertEquals("", unavailable(new GdsStrategy()));
        assertEquals("", unavailable(new GdsMtStrategy()));
        assertTrue(Files.notExists(directory.resolve("store")));
    }

    @Test
    void aDriverThatHangsIsKilledAndNamedOnce() {
        StandIn.named("hang", "hang GDS").use();
        long start = System.nanoTime();
        String reason = unavailable(new GdsStrategy());
        assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) < 8, reason);
        assertTrue(reason.contains("does not start within 4 s and was killed"), reason);
        start = System.nanoTime();
        assertEquals(reason, unavailable(new GdsStrategy()));
        assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) < 1000, "the verdict is kept");
        assertEquals("", unavailable(new GdsMtStrategy()));
    }

    @Test
    void aDriverThatCrashesIsNamed() {
        StandIn.named("crash", "crash GDS_MT").use();
        String reason = unavailable(new GdsMtStrategy());
        assertTrue(reason.contains("cannot be started: it killed its process with signal 6"), reason);
    }

    @Test
    void aDriverThatRefusesIsNamed() {
        StandIn.named("refuse", "refuse GDS").use();
        String reason = unavailable(new GdsStrategy());
        assertTrue(reason.contains("create_backend answered -2"), reason);
    }

    @Test
    void aFileSystemThatTheDriverRejectsIsRefusedAndLeftClean() throws Exception {
        StandIn.named("reject", "reject GDS").use();
        StorageStrategy strategy = new GdsStrategy();
        assertEquals(Optional.empty(), strategy.probe(config(strategy)).get(0).unavailable());
        try (MappedArena arena = MappedArena.of(4096)) {
            StorageException refused = assertThrows(
                    StorageException.class, () -> strategy.open(new OpenContext("nixl", config(strategy), arena, 1)));
            assertEquals(Status.UNAVAILABLE, refused.status());
            assertTrue(refused.getMessage().contains("cannot write a file in " + directory), refused.getMessage());
        }
        try (Stream<Path> left = Files.walk(directory.resolve("store"))) {
            assertEquals(
                    0,
                    left.filter(Files::isRegularFile)
                            .filter(file -> !file.getFileName().toString().endsWith("lock"))
                            .count());
        }
    }

    @Test
    void withoutNixlItIsUnavailable() {
        System.setProperty("nixlkv.nixl.home", directory.toString());
        String reason = unavailable(new GdsStrategy());
        assertTrue(reason.contains("NIXL") || reason.contains("GDS"), reason);
    }
}
