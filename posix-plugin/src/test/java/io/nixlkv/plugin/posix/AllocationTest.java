package io.nixlkv.plugin.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a native lane allocates on the Java heap: nothing for an item that goes well. */
@NeedsNatives
class AllocationTest {
    private static final int ITEMS = 256;
    private static final int LENGTH = 4096;
    private static final int ROUNDS = 5;
    /** Half of the smallest object for each item: what a batch costs as a whole, but nothing that grows with its items. */
    private static final int MOST_BYTES_PER_BATCH = 8 * ITEMS;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"threads", "uring", "aio", "posix_aio"})
    void nothingPerItem(String engine) {
        MemoryArena arena =
                new NativeSetup.Mapped(new NativeMemory((long) ITEMS * LENGTH, NativeMemory.Pages.ORDINARY));
        PosixStrategy strategy = new PosixStrategy();
        ParameterValues config = ParameterValues.of(
                strategy.info().parameters(), Map.of("file_path", directory.toString(), "use_direct_io", "false"));
        try (StorageBackend backend = strategy.open(new OpenContext(engine, config, arena, 1));
                Lane lane = backend.openLane()) {
            PackedBatch batch = new PackedBatch(arena, ITEMS);
            for (Op op : new Op[] {Op.WRITE, Op.READ, Op.QUERY, Op.WRITE}) {
                run(lane, batch, op);
                long before = allocated();
                for (int round = 0; round < ROUNDS; round++) {
                    batch.start(op, Mode.REPLACE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(60), null);
                    long filling = allocated();
                    fill(batch, op);
                    before += allocated() - filling;
                    lane.execute(batch);
                }
                long perBatch = (allocated() - before) / ROUNDS;
                assertTrue(perBatch <= MOST_BYTES_PER_BATCH, op + " allocates " + perBatch + " bytes for each batch");
            }
        }
    }

    private static void run(Lane lane, PackedBatch batch, Op op) {
        batch.start(op, Mode.REPLACE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(60), null);
        fill(batch, op);
        lane.execute(batch);
        for (int item = 0; item < ITEMS; item++) {
            assertEquals(Status.DONE, batch.status(item), batch.sentence(item));
        }
    }

    private static void fill(PackedBatch batch, Op op) {
        for (int item = 0; item < ITEMS; item++) {
            batch.add("a" + item, 0, 0, item * LENGTH, op == Op.QUERY ? 0 : LENGTH);
        }
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}
