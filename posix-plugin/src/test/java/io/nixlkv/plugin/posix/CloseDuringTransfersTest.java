package io.nixlkv.plugin.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A backend closed while two lanes transfer: every item ends once, and what is stored is whole. The system property {@code
 * nixlkv.close.rounds} sets the rounds.
 */
@NeedsNatives
class CloseDuringTransfersTest {
    private static final int ITEMS = 24;
    private static final int LENGTH = 64 << 10;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path directory;

    private final MemoryArena arena =
            new NativeSetup.Mapped(new NativeMemory(2L * ITEMS * LENGTH, NativeMemory.Pages.ORDINARY));

    @ParameterizedTest
    @CsvSource({"threads,false,200", "uring,false,100", "uring,true,200", "aio,true,30", "posix_aio,false,100"})
    void everyItemEndsOnce(String engine, boolean direct, int usual) throws Exception {
        int rounds = Integer.getInteger("nixlkv.close.rounds", usual);
        Random random = new Random(engine.hashCode());
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < rounds; round++) {
                close(engine, direct, round, threads, random.nextInt(2_000_000));
            }
        } finally {
            threads.shutdown();
            assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
        }
        try (Stream<Path> left = Files.walk(directory)) {
            assertTrue(left.filter(Files::isRegularFile)
                    .noneMatch(file -> file.getParent().getFileName().toString().length() == 36));
        }
    }

    private void close(String engine, boolean direct, int round, ExecutorService threads, int nanos) throws Exception {
        PosixStrategy strategy = new PosixStrategy();
        ParameterValues config = ParameterValues.of(
                strategy.info().parameters(),
                Map.of("file_path", directory.toString(), "use_direct_io", Boolean.toString(direct)));
        StorageBackend backend = strategy.open(new OpenContext(engine, config, arena, 2));
        Op op = round % 3 == 0 ? Op.WRITE : round % 3 == 1 ? Op.READ : Op.STAGE;
        PackedBatch[] batches = {batch(op, 0), batch(op, 1)};
        Future<?>[] running = new Future<?>[2];
        for (int i = 0; i < 2; i++) {
            PackedBatch batch = batches[i];
            Lane lane = backend.openLane();
            running[i] = threads.submit(() -> {
                try (lane) {
                    lane.execute(batch);
                }
            });
        }
        LockSupport.parkNanos(nanos);
        backend.close();
        for (int i = 0; i < 2; i++) {
            running[i].get(60, TimeUnit.SECONDS);
            for (int item = 0; item < ITEMS; item++) {
                Status status = batches[i].status(item);
                assertNotNull(status, "round " + round + ", item " + item);
                if (op == Op.WRITE && status == Status.DONE) {
                    assertEquals(LENGTH, size("c" + i + "-" + item));
                }
            }
        }
    }

    private PackedBatch batch(Op op, int number) {
        PackedBatch batch = new PackedBatch(arena, ITEMS);
        batch.start(op, Mode.REPLACE, false, System.nanoTime() + PATIENCE, null);
        for (int item = 0; item < ITEMS; item++) {
            batch.add("c" + number + "-" + item, 0, 0, (number * ITEMS + item) * LENGTH, LENGTH);
        }
        return batch;
    }

    private long size(String name) throws IOException {
        return Files.size(directory.resolve(name));
    }
}
