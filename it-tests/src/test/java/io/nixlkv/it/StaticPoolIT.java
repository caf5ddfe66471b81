package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Static pools on real files through the packed jars. */
class StaticPoolIT {
    private static final int SLOT = 64 << 10;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    private KvStore open(String paths, boolean direct, String more) {
        return host.posix(paths, direct, "layout = \"raw\"\nslot_bytes = " + SLOT + "\n" + more);
    }

    private static byte[] value(int fill, int length) {
        byte[] value = new byte[length];
        Arrays.fill(value, (byte) fill);
        return value;
    }

    private static ObjectResult put(KvStore store, String key, int fill, int length) {
        return store.store(
                new RawKey(key), ByteBuffer.wrap(value(fill, length)), CallOptions.DEFAULT.with(Mode.REPLACE));
    }

    private static void holds(KvStore store, String key, int fill, int length) {
        byte[] found = new byte[length];
        ObjectResult result = store.load(new RawKey(key), ByteBuffer.wrap(found), CallOptions.DEFAULT);
        assertEquals(Status.DONE, result.status(), result::toString);
        assertArrayEquals(value(fill, length), found, key);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRestartFindsItsContentsOverSeveralDirectories(boolean direct) {
        String paths = directory.resolve("a") + "," + directory.resolve("b");
        try (KvStore store = open(paths, direct, "pool_size = 6")) {
            for (int i = 0; i < 5; i++) {
                put(store, "k" + i, i, i == 3 ? 1000 : SLOT);
            }
            put(store, "k1", 77, 4096);
        }
        try (KvStore store = open(paths, direct, "pool_size = 6")) {
            assertEquals(5, store.status().details().get("slots_used"));
            assertEquals(6, store.status().details().get("slots_total"));
            holds(store, "k3", 3, 1000);
            holds(store, "k1", 77, 4096);
            holds(store, "k4", 4, SLOT);
            assertEquals(
                    1000,
                    store.lookup(List.of(new RawKey("k3")), CallOptions.DEFAULT)
                            .get(0)
                            .storedLength());
        }
    }

    @Test
    void aSecondOpenerIsRefusedWhateverItsStateDirectory() {
        String path = directory.resolve("kv").toString();
        try (KvStore store = open(path, false, "pool_size = 2")) {
            put(store, "k", 1, 10);
            StorageException same = assertThrows(StorageException.class, () -> open(path, false, "pool_size = 2"));
            assertTrue(same.getMessage().contains("a static pool has one owner"), same.getMessage());
            StorageException other = assertThrows(
                    StorageException.class,
                    () -> open(path, false, "pool_size = 2\nstate_dir = \"" + directory.resolve("elsewhere") + "\""));
            assertTrue(other.getMessage().contains("a static pool has one owner"), other.getMessage());
            holds(store, "k", 1, 10);
        }
        try (KvStore store = open(path, false, "pool_size = 2")) {
            holds(store, "k", 1, 10);
        }
    }

    @Test
    void anotherGeometryIsRefusedAndAPoolWithoutItsSlotsStartsEmpty() throws IOException {
        Path kv = directory.resolve("kv");
        try (KvStore store = open(kv.toString(), false, "pool_size = 2")) {
            put(store, "k", 1, 10);
        }
        StorageException refused =
                assertThrows(StorageException.class, () -> open(kv.toString(), false, "pool_size = 3"));
        assertTrue(refused.getMessage().contains("pool_size, slot_bytes"), refused.getMessage());
        Files.delete(kv.resolve(".nixlkv/pools/kv.slab"));
        try (KvStore store = open(kv.toString(), false, "pool_size = 2")) {
            assertEquals(0, store.status().details().get("slots_used"));
            assertEquals(
                    0,
                    store.lookup(List.of(new RawKey("k")), CallOptions.DEFAULT).okCount());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesOfSlotsAreFoundAgainAndALostOneIsAMissingObject(boolean direct) throws IOException {
        Path a = directory.resolve("a");
        String paths = a + "," + directory.resolve("b");
        String files = "pool_size = 6\npool_layout = \"files\"";
        try (KvStore store = open(paths, direct, files)) {
            for (int i = 0; i < 6; i++) {
                put(store, "k" + i, i, i == 3 ? 1000 : SLOT);
            }
            assertEquals("files", store.status().details().get("pool_layout"));
        }
        StorageException refused = assertThrows(StorageException.class, () -> open(paths, direct, "pool_size = 6"));
        assertTrue(refused.getMessage().contains("wanted is \"slab\""), refused.getMessage());
        Path lost;
        try (Stream<Path> slots = Files.list(a.resolve(".nixlkv/pools/kv.files"))) {
            lost = slots.filter(file -> file.getFileName().toString().startsWith("obj_1_"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.delete(lost);
        try (KvStore store = open(paths, direct, files)) {
            assertEquals(5, store.status().details().get("slots_used"));
            int missing = 0;
            for (int i = 0; i < 6; i++) {
                if (store.lookup(List.of(new RawKey("k" + i)), CallOptions.DEFAULT)
                                .okCount()
                        == 1) {
                    holds(store, "k" + i, i, i == 3 ? 1000 : SLOT);
                } else {
                    missing++;
                }
            }
            assertEquals(1, missing);
            put(store, "new", 9, SLOT);
            holds(store, "new", 9, SLOT);
        }
        assertEquals(SLOT, Files.size(lost));
        try (KvStore store = open(paths, direct, files)) {
            assertEquals(6, store.status().details().get("slots_used"));
            holds(store, "new", 9, SLOT);
        }
    }

    @Test
    void aDiskTooSmallForThePoolIsToldAndNothingStays() throws IOException {
        Path tiny = Files.createDirectory(directory.resolve("tiny"));
        try (Mount mounted = Mount.tmpfs(tiny, "1m")) {
            StorageException refused = assertThrows(
                    StorageException.class, () -> open(tiny.toString(), false, "pool_size = 64"), mounted::toString);
            assertEquals(Status.NO_SPACE, refused.status(), refused.getMessage());
            try (Stream<Path> left = Files.walk(tiny)) {
                assertEquals(
                        List.of(),
                        left.filter(Files::isRegularFile)
                                .filter(file -> !file.toString().endsWith(".lock"))
                                .toList());
            }
            try (KvStore store = open(tiny.toString(), false, "pool_size = 4")) {
                put(store, "k", 1, SLOT);
                holds(store, "k", 1, SLOT);
            }
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void interruptsOfOneCallerHarmNoOther() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger errors = new AtomicInteger();
        try (KvStore store = open(directory.resolve("kv").toString(), false, "pool_size = 16")) {
            for (int i = 0; i < 8; i++) {
                put(store, "k" + i, i, SLOT);
            }
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int key = i;
                Thread reader = new Thread(() -> {
                    while (!done.get()) {
                        try {
                            holds(store, "k" + key, key, SLOT);
                        } catch (RuntimeException | Error wrong) {
                            wrong.printStackTrace();
                            errors.incrementAndGet();
                        }
                    }
                });
                readers.add(reader);
                reader.start();
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            while (System.nanoTime() < end) {
                readers.get(0).interrupt();
                TimeUnit.MILLISECONDS.sleep(10);
            }
            done.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertEquals(0, errors.get());
            put(store, "after", 9, SLOT);
            holds(store, "after", 9, SLOT);
        }
    }

    @Test
    void durableStoresSurviveToo() {
        String path = directory.resolve("kv").toString();
        try (KvStore store = host.host()
                .open(PackedHost.config(path, false, "layout = \"raw\"\npool_size = 4\nslot_bytes = " + SLOT)
                        .withCall("plugin.posix.sync", "true"))) {
            put(store, "a", 1, 100);
            put(store, "b", 2, 200);
            assertTrue(
                    store.delete(List.of(new RawKey("a")), CallOptions.DEFAULT).allOk());
        }
        try (KvStore store = open(path, false, "pool_size = 4")) {
            holds(store, "b", 2, 200);
            assertEquals(1, store.status().details().get("slots_used"));
        }
    }
}
