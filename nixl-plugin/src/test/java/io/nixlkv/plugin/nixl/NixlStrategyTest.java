package io.nixlkv.plugin.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the real library. */
@NeedsNixl("POSIX")
class NixlStrategyTest {
    @TempDir
    Path directory;

    private final NixlStrategy strategy = new NixlStrategy();

    private static StrategyConfig config(StorageStrategy of, Map<String, String> given) {
        return ParameterValues.of(of.info().parameters(), given);
    }

    private Map<String, EngineOffer> offers() {
        return strategy.probe(config(strategy, Map.of("file_path", directory.toString()))).stream()
                .collect(Collectors.toMap(EngineOffer::engine, Function.identity()));
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertEquals(
                NixlStrategy.class,
                ServiceLoader.load(StorageStrategy.class)
                        .findFirst()
                        .orElseThrow()
                        .getClass());
    }

    @Test
    void everyPluginIsAnEngineWithItsOwnSegments() {
        long start = System.nanoTime();
        Map<String, EngineOffer> offers = offers();
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10));
        assertEquals(
                Set.of(Segment.DRAM_SEG, Segment.FILE_SEG), offers.get("posix").segments());
        assertEquals(Optional.empty(), offers.get("posix").unavailable());
        for (String objects : new String[] {"obj", "azure_blob"}) {
            assertEquals(
                    Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG),
                    offers.get(objects).segments());
            assertEquals(Optional.empty(), offers.get(objects).unavailable());
        }
        assertEquals(
                Set.of(Segment.DRAM_SEG, Segment.VRAM_SEG), offers.get("ucx").segments());
        assertEquals(
                Set.of(Segment.DRAM_SEG, Segment.BLK_SEG), offers.get("gusli").segments());
        String gds = offers.get("gds").unavailable().orElse("");
        assertTrue(
                offers.get("gds").segments().contains(Segment.FILE_SEG) || gds.contains("cannot be loaded: lib"), gds);
    }

    @Test
    void adoptsAPluginByItsNameAndMovesBytes() {
        StorageStrategy posix = strategy.adopt("posix").orElseThrow();
        assertEquals("POSIX", posix.info().name());
        assertTrue(posix.info().parameter("ios_pool_size").isPresent());
        assertTrue(posix.info().summary().contains("not checked"));
        StrategyConfig config = config(
                posix,
                Map.of("file_path", directory.toString(), "ios_pool_size", "64", "parameters", "use_uring=true"));
        EngineOffer offer = posix.probe(config).get(0);
        assertEquals("nixl", offer.engine());
        assertEquals(Optional.empty(), offer.unavailable());
        try (MappedArena arena = MappedArena.of(8192);
                StorageBackend backend = posix.open(new OpenContext("nixl", config, arena, 1));
                Lane lane = backend.openLane()) {
            PackedBatch batch = new PackedBatch(arena, 1);
            arena.segment(0).put(4095, (byte) 7);
            for (Op op : new Op[] {Op.WRITE, Op.READ}) {
                batch.start(op, Mode.REPLACE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(30), null);
                batch.add("object", 0, 0, 0, 4096);
                lane.execute(batch);
                assertEquals(Status.DONE, batch.status(0), batch.sentence(0));
                arena.segment(0).put(4095, op == Op.WRITE ? 0 : arena.segment(0).get(4095));
            }
            assertEquals(7, arena.segment(0).get(4095));
            assertEquals(2, backend.report().counters().get("nixl_requests"));
        }
        assertTrue(Files.exists(directory.resolve("object")));
    }

    @Test
    void adoptsNothingElse() {
        assertEquals(Optional.empty(), strategy.adopt("no_such_plugin"));
        assertEquals(Optional.empty(), strategy.adopt("../POSIX"));
    }

    @Test
    void aPluginOfTheWrongKindIsNotOpened() {
        StorageStrategy ucx = strategy.adopt("UCX").orElseThrow();
        StrategyConfig config = config(ucx, Map.of("file_path", directory.toString()));
        try (MappedArena arena = MappedArena.of(4096)) {
            StorageException refused =
                    assertThrows(StorageException.class, () -> ucx.open(new OpenContext("nixl", config, arena, 1)));
            assertTrue(refused.getMessage().contains("exactly one of FILE_SEG and OBJ_SEG"), refused.getMessage());
        }
    }

    @Test
    void wrongPassedParametersAreNamedWithoutTheirValues() {
        StorageStrategy posix = strategy.adopt("POSIX").orElseThrow();
        StrategyConfig config = config(posix, Map.of("file_path", directory.toString(), "parameters", "s3cret"));
        String reason = posix.probe(config).get(0).unavailable().orElseThrow();
        assertTrue(reason.contains("key=value") && !reason.contains("s3cret"), reason);
    }
}
