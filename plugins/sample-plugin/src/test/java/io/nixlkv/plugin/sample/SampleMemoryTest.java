package io.nixlkv.plugin.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the contract suite cannot know: discovery and the capacity. */
class SampleMemoryTest {
    @Test
    void isFoundByTheServiceLoader() {
        List<String> names = ServiceLoader.load(StorageStrategy.class).stream()
                .map(provider -> provider.get().info().name())
                .toList();
        assertEquals(List.of("SAMPLE_MEMORY"), names);
    }

    @Test
    void aFullStoreRefusesOnlyWhatDoesNotFit() {
        SampleMemory strategy = new SampleMemory();
        DirectArena arena = new DirectArena(8192);
        ParameterValues config = ParameterValues.of(strategy.info().parameters(), Map.of("capacity", "10KB"));
        try (StorageBackend backend = strategy.open(new OpenContext("map", config, arena, 1));
                Lane lane = backend.openLane()) {
            PackedBatch batch = new PackedBatch(arena, 3);
            batch.start(Op.WRITE, Mode.CREATE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(10), null);
            batch.add("a", 0, 0, 0, 8000);
            batch.add("b", 0, 0, 0, 2001);
            batch.add("c", 0, 0, 0, 2000);
            lane.execute(batch);
            assertEquals(Status.DONE, batch.status(0));
            assertEquals(Status.NO_SPACE, batch.status(1));
            assertEquals("the store is full; raise capacity or delete objects", batch.sentence(1));
            assertEquals(Status.DONE, batch.status(2));
            assertEquals(
                    Map.of("objects", 2L, "bytes", 10_000L), backend.report().counters());
        }
    }
}
