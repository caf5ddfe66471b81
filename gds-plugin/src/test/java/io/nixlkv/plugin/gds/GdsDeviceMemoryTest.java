package io.nixlkv.plugin.gds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.CudaArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where NIXL fails, with slices that are memory of a GPU. */
@NeedsStandIn
class GdsDeviceMemoryTest {
    private static final int LENGTH = 10_000;

    @TempDir
    Path directory;

    private PackedBatch run(Lane lane, CudaArena arena, Op op) {
        PackedBatch batch = new PackedBatch(arena, 1);
        batch.start(op, Mode.REPLACE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(30), null);
        batch.add("object", 0, 0, 8192, LENGTH);
        lane.execute(batch);
        return batch;
    }

    private StorageBackend open(StorageStrategy strategy, CudaArena arena) {
        Map<String, String> config = Map.of("file_path", directory.toString(), "use_direct_io", "false");
        return strategy.open(
                new OpenContext("nixl", ParameterValues.of(strategy.info().parameters(), config), arena, 1));
    }

    private static byte[] pattern() {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bytes[i] = (byte) (i * 31 >> 2);
        }
        return bytes;
    }

    /** A mark at the end of the slice tells, planted and looked at by the driver; host memory carries the bytes then. */
    @Test
    void aShortReadIsFoundOutAndCarriedOutThroughHostMemory() throws Exception {
        StandIn.named("short-device", "short GDS").use();
        try (CudaArena arena = CudaArena.of(1 << 20);
                StorageBackend backend = open(new GdsStrategy(), arena);
                Lane lane = backend.openLane()) {
            arena.copyIn(0, 8192, ByteBuffer.wrap(pattern()));
            assertEquals(Status.DONE, run(lane, arena, Op.WRITE).status(0));
            assertArrayEquals(pattern(), Files.readAllBytes(directory.resolve("object")));
            arena.clear(0, 0, 1 << 20);
            PackedBatch read = run(lane, arena, Op.READ);
            assertEquals(Status.DONE, read.status(0), read.sentence(0));
            byte[] found = new byte[LENGTH];
            arena.copyOut(0, 8192, ByteBuffer.wrap(found));
            assertArrayEquals(pattern(), found);
            assertEquals(1, backend.report().counters().get("nixl_items_refused"));
            byte[] behind = new byte[64];
            arena.copyOut(0, 8192 + LENGTH, ByteBuffer.wrap(behind));
            assertArrayEquals(new byte[64], behind);
        }
    }

    /** Nobody can tell whether a read was whole: it is no success. */
    @Test
    void aDriverThatNoLongerCopiesFailsTheItemAndNothingElse() {
        StandIn.named("no-copies", "copies 1").use();
        try (CudaArena arena = CudaArena.of(1 << 20);
                StorageBackend backend = open(new GdsStrategy(), arena);
                Lane lane = backend.openLane()) {
            arena.copyIn(0, 8192, ByteBuffer.wrap(pattern()));
            assertEquals(Status.DONE, run(lane, arena, Op.WRITE).status(0));
            PackedBatch read = run(lane, arena, Op.READ);
            assertEquals(Status.FAILED, read.status(0));
            assertTrue(
                    read.sentence(0).contains("CUDA's copy to GPU 1 answered CUDA_ERROR_LAUNCH_FAILED (719)"),
                    read.sentence(0));
        }
    }
}
