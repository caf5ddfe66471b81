package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.cleaner.CleaningWatch;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A mount whose server hangs, dies and comes back while a store on it transfers: every call ends in bounded time with the reason,
 * other stores go on, nothing is written where the mount was, and the open store serves again.
 */
class LostMountIT {
    private static final CallOptions ANY = CallOptions.DEFAULT;
    private static final int LENGTH = 64 << 10;
    private static final String LOST = "Transport endpoint is not connected; the server of this mount is gone";

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    @AfterEach
    void closeHost() {
        host.close();
    }

    private static HostConfig config(String plugin, String engine, Path mount) {
        return HostConfig.parse(
                """
                use_direct_io = false
                [store]
                layout = "raw"
                num_workers = 2
                deadline_ms = 400
                arena_gb = 0.0625
                [plugin.%s]
                active = true
                engine = "%s"
                %s = "%s"
                """.formatted(plugin, engine, plugin.equals("3fs") ? "mount_point" : "file_path", mount),
                "test.toml",
                Map.of());
    }

    @ParameterizedTest
    @CsvSource({"posix,nio", "posix,threads", "posix,uring", "3fs,posix"})
    void aMountLostDuringTransfersIsToldAndServesAgainWhenItIsBack(String plugin, String engine) throws IOException {
        PackedHost.assumeUsable(engine);
        try (HangingFs.Fuse storage = HangingFs.fuse(directory)) {
            // what 3FS shows on each of its mounts
            Files.createDirectory(storage.folder().resolve("3fs-virt"));
            HostConfig config = config(plugin, engine, storage.folder());
            try (KvStore store = host.host().open(config);
                    KvStore other = host.raw(directory.resolve("other"));
                    Traffic traffic = new Traffic(store)) {
                assertTrue(write(store, "before").ok());
                await(() -> traffic.ended(Status.DONE), "transfers run");

                storage.hang();
                assertEquals(
                        Status.TIMED_OUT, bounded(() -> write(store, "hanging")).status());
                assertEquals(
                        Status.TIMED_OUT, bounded(() -> read(store, "before")).status());
                assertEquals(
                        Status.TIMED_OUT, bounded(() -> lookup(store, "before")).status());
                assertFalse(bounded(() -> store.status().healthy()));
                assertCannotBeCleaned(config, storage.folder());
                assertTrue(write(other, "while it hangs").ok(), "another store goes on");
                storage.goOn();
                await(() -> write(store, "goes on").ok(), "the store goes on");

                storage.kill();
                await(() -> traffic.ended(Status.FAILED), "running transfers fail");
                for (ObjectResult lost : List.of(
                        bounded(() -> write(store, "lost")),
                        bounded(() -> read(store, "before")),
                        bounded(() -> lookup(store, "before")))) {
                    assertEquals(Status.FAILED, lost.status(), lost.reason());
                    assertTrue(lost.reason().contains(LOST), lost.reason());
                    assertTrue(lost.reason().contains(storage.folder().toString()), lost.reason());
                }
                assertFalse(bounded(() -> store.status().healthy()));
                assertCannotBeCleaned(config, storage.folder());
                assertTrue(write(other, "while it is lost").ok(), "another store goes on");

                storage.unmount();
                ObjectResult nowhere = bounded(() -> write(store, "nowhere"));
                assertFalse(nowhere.ok());
                // native engines still see the mount that is gone
                boolean pureJava = engine.equals("nio") || !NativeIo.isAvailable();
                assertTrue(nowhere.reason().contains(pureJava ? "nothing is mounted on" : LOST), nowhere.reason());
                try (Stream<Path> below = Files.list(storage.folder())) {
                    assertEquals(List.of(), below.toList(), "nothing is written where the mount was");
                }
                assertFalse(store.status().healthy());

                storage.mount();
                AtomicReference<ObjectResult> last = new AtomicReference<>();
                await(
                        () -> {
                            last.set(write(store, "back"));
                            return last.get().ok();
                        },
                        () -> "the store serves again; its last answer: " + last);
                assertTrue(read(store, "before").ok());
                assertTrue(read(store, "back").ok());
                assertTrue(store.status().healthy());
                assertTrue(traffic.slowestSeconds() < 5, () -> traffic.slowestSeconds() + " s for 0.4 s");
            }
        }
    }

    private void assertCannotBeCleaned(HostConfig config, Path folder) {
        RuntimeException refused = bounded(() -> assertThrows(
                RuntimeException.class, () -> host.host().clean(config, true, true, new CleaningWatch() {})));
        assertTrue(refused.getMessage().contains(folder.toString()), refused.getMessage());
    }

    private static ObjectResult write(KvStore store, String name) {
        return store.store(new RawKey(name), ByteBuffer.allocate(LENGTH), ANY);
    }

    private static ObjectResult read(KvStore store, String name) {
        return store.load(new RawKey(name), ByteBuffer.allocate(LENGTH), ANY);
    }

    private static ObjectResult lookup(KvStore store, String name) {
        return store.lookup(List.of(new RawKey(name)), ANY).get(0);
    }

    private static <T> T bounded(Supplier<T> call) {
        long start = System.nanoTime();
        T answer = call.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        assertTrue(seconds < 7, () -> seconds + " s");
        return answer;
    }

    private static void await(BooleanSupplier condition, String what) {
        await(condition, () -> what);
    }

    private static void await(BooleanSupplier condition, Supplier<String> what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "not after 20 s: " + what.get());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Stores and loads without a pause until it is closed. */
    private static final class Traffic implements AutoCloseable {
        private final Set<Status> ended = EnumSet.noneOf(Status.class);
        private final Thread thread;
        private volatile boolean stopped;
        private long slowest;

        Traffic(KvStore store) {
            thread = new Thread(() -> run(store), "traffic");
            thread.start();
        }

        private void run(KvStore store) {
            for (int i = 0; !stopped; i++) {
                long start = System.nanoTime();
                Status wrote = write(store, "traffic" + i % 100).status();
                Status read = read(store, "traffic" + i % 100).status();
                synchronized (this) {
                    slowest = Math.max(slowest, System.nanoTime() - start);
                    ended.add(wrote);
                    ended.add(read);
                }
            }
        }

        synchronized boolean ended(Status status) {
            return ended.contains(status);
        }

        synchronized double slowestSeconds() {
            return slowest / 1e9;
        }

        @Override
        public void close() {
            stopped = true;
            LostMountIT.await(() -> !thread.isAlive(), "its last call ends");
        }
    }
}
