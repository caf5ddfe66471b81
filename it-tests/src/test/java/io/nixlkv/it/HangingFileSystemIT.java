package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.ConfigException;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Storage that does not answer: a FUSE file system whose daemon is stopped or killed, an ext4 that is frozen. Calls end by their
 * deadline, memory stays leased as long as a transfer may touch it, other stores go on, and what is there afterwards is whole.
 */
class HangingFileSystemIT {
    private static final CallOptions ANY = CallOptions.DEFAULT;
    private static final int COUNT = 8;
    private static final int LENGTH = 64 << 10;
    private static final String SHORT = "layout = \"raw\"\nnum_workers = 2\ndeadline_ms = 400";

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void closeHost() {
        host.close();
        threads.shutdown();
    }

    @ParameterizedTest
    @CsvSource({"fuse,threads", "fuse,uring", "fuse,nio", "frozen,threads", "frozen,uring", "frozen,nio"})
    void callsEndByTheirDeadlineAndTheStoreComesBack(String kind, String engine) throws IOException {
        try (HangingFs storage = HangingFs.of(kind, directory);
                KvStore store = host.engine(storage.folder(), engine, SHORT);
                KvStore other = host.raw(directory.resolve("other"))) {
            long memory = free(store);
            assertTrue(write(store, "before").allOk());
            storage.hang();
            long start = System.nanoTime();
            assertEquals(COUNT, write(store, "during").count(Status.TIMED_OUT));
            assertTrue(seconds(start) < 5, () -> seconds(start) + " s for a deadline of 0.4 s");
            if (kind.equals("fuse")) {
                assertEquals(COUNT, read(store, "before").count(Status.TIMED_OUT));
            }
            assertTrue(free(store) <= memory - COUNT * LENGTH, "the memory of a hanging transfer is not lent again");
            assertFalse(store.status().healthy());
            assertTrue(write(other, "k").allOk(), "another store goes on");
            assertTrue(read(other, "k").allOk());

            storage.goOn();
            await(() -> store.status().details().get("stuck_workers").equals(0), "workers come back");
            await(() -> free(store) == memory, "all memory is free again");
            BatchResult late = read(store, "during");
            assertEquals(COUNT, late.okCount() + late.count(Status.MISSING), late::toString);
            assertTrue(read(store, "before").allOk());
            assertTrue(write(store, "after").allOk());
            assertTrue(read(store, "after").allOk());
            assertTrue(store.status().healthy());
            host.close();
            assertEquals(List.of(), temporaries(storage.folder()));
        }
    }

    @Test
    void openingAndClosingAreBounded() throws IOException {
        PackedHost.assumeUsable("threads");
        try (HangingFs frozen = HangingFs.frozen(directory);
                HangingFs fuse = HangingFs.fuse(directory)) {
            KvStore onFrozen = host.engine(frozen.folder(), "threads", SHORT);
            KvStore onFuse = host.engine(fuse.folder(), "threads", SHORT);
            frozen.hang();
            fuse.hang();
            for (KvStore store : List.of(onFrozen, onFuse)) {
                assertEquals(COUNT, write(store, "during").count(Status.TIMED_OUT));
            }
            long start = System.nanoTime();
            CompletableFuture.allOf(
                            CompletableFuture.runAsync(() -> assertRefused(frozen), threads),
                            CompletableFuture.runAsync(() -> assertRefused(fuse), threads),
                            CompletableFuture.runAsync(onFrozen::close, threads),
                            CompletableFuture.runAsync(onFuse::close, threads))
                    .join();
            assertTrue(seconds(start) < 20, () -> seconds(start) + " s to close");

            fuse.goOn();
            frozen.goOn();
            for (HangingFs storage : List.of(frozen, fuse)) {
                try (KvStore again = open(storage)) {
                    BatchResult late = read(again, "during");
                    assertEquals(COUNT, late.okCount() + late.count(Status.MISSING), late::toString);
                    assertTrue(write(again, "after").allOk());
                }
                await(() -> temporaries(storage.folder()).isEmpty(), "nothing temporary is left");
            }
        }
    }

    private void assertRefused(HangingFs storage) {
        long start = System.nanoTime();
        RuntimeException refused =
                assertThrows(RuntimeException.class, () -> host.engine(storage.folder(), "threads", SHORT));
        assertTrue(refused.getMessage().contains(storage.folder().toString()), refused.getMessage());
        assertTrue(refused.getMessage().contains("does not answer"), refused.getMessage());
        assertTrue(seconds(start) < 10, () -> seconds(start) + " s to be refused");
    }

    /** As soon as those that hung before it have come back. */
    private KvStore open(HangingFs storage) {
        KvStore[] opened = new KvStore[1];
        await(
                () -> {
                    try {
                        opened[0] = host.engine(storage.folder(), "threads", SHORT.replace("400", "20000"));
                        return true;
                    } catch (StorageException | ConfigException notYet) {
                        return false;
                    }
                },
                "the store opens again");
        return opened[0];
    }

    @Test
    void aDeadDaemonFailsEachObjectWithItsReason() throws IOException {
        try (HangingFs.Fuse storage = HangingFs.fuse(directory);
                KvStore store = host.engine(storage.folder(), "threads", SHORT);
                KvStore other = host.raw(directory.resolve("other"))) {
            assertTrue(write(store, "before").allOk());
            storage.kill();
            for (BatchResult result : List.of(write(store, "k"), read(store, "before"))) {
                assertEquals(COUNT, result.count(Status.FAILED), result::toString);
                ObjectResult first = result.get(0);
                assertTrue(first.reason().contains("Transport endpoint is not connected"), first.reason());
            }
            assertTrue(write(other, "k").allOk());
            long closing = System.nanoTime();
            host.close();
            assertTrue(seconds(closing) < 5, () -> seconds(closing) + " s to close");
        }
    }

    private static BatchResult write(KvStore store, String name) {
        try (ArenaLease lease = store.arena().lease(COUNT * LENGTH, Duration.ofSeconds(5))) {
            ByteBuffer buffer = lease.buffer();
            for (int at = 0; at < COUNT * LENGTH; at++) {
                buffer.put(at, content(name, at));
            }
            return store.store(objects(name, lease), ANY);
        }
    }

    /** Loads the objects; those that are there must be whole. */
    private static BatchResult read(KvStore store, String name) {
        try (ArenaLease lease = store.arena().lease(COUNT * LENGTH, Duration.ofSeconds(5))) {
            BatchResult result = store.load(objects(name, lease), ANY);
            for (int at = 0; at < COUNT * LENGTH; at++) {
                if (result.get(at / LENGTH).ok()) {
                    assertEquals(content(name, at), lease.buffer().get(at), name + ", byte " + at);
                }
            }
            return result;
        }
    }

    private static List<KvObject> objects(String name, ArenaLease lease) {
        List<KvObject> objects = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            objects.add(new KvObject(new RawKey("d" + i % 2 + "/" + name + i), lease.slice(i * LENGTH, LENGTH)));
        }
        return objects;
    }

    private static byte content(String name, int at) {
        return (byte) (name.hashCode() + at * 31 + at / LENGTH);
    }

    private static long free(KvStore store) {
        return (Long) store.status().details().get("arena_free_bytes");
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static void await(BooleanSupplier condition, String what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "not after 20 s: " + what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static List<Path> temporaries(Path folder) {
        try (Stream<Path> files = Files.walk(folder.resolve(".nixlkv"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith("publish.guard"))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
