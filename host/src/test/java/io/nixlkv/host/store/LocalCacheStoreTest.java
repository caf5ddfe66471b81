package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.local.LocalCache;
import io.nixlkv.host.local.LocalCacheStore;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept in memory is served without the storage, and never when the storage may hold something else. */
@Timeout(60)
class LocalCacheStoreTest {
    private static final CallOptions REPLACE = CallOptions.DEFAULT.with(Mode.REPLACE);
    private static final int UNIT = 4096;
    private static final long LIMIT = 64 * UNIT;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final AtomicInteger asked = new AtomicInteger();
    private final Set<String> hits = new ConcurrentSkipListSet<>();
    private final KeyDigests digests = new KeyDigests(
            Stores.spec(ScriptedBackend.offer(1), 1, false, LengthRule.EXACT).layout());
    private LocalCache cache;

    private LocalCacheStore open() {
        return open(LIMIT);
    }

    private LocalCacheStore open(long limit) {
        backend.before(batch -> asked.addAndGet(batch.op() == Op.READ || batch.op() == Op.QUERY ? batch.size() : 0));
        DynamicStore store = Stores.open(backend, 4);
        cache = new LocalCache(store.arena(), UNIT, limit);
        store.reclaimFrom(cache::giveBack);
        return new LocalCacheStore(
                store, digests, cache, Mode.CREATE, 0, length -> length, (key, name) -> hits.add(key.text()));
    }

    private static byte[] filled(int length, int with) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static Status put(LocalCacheStore store, String key, int length, int with, CallOptions options) {
        return store.store(new RawKey(key), ByteBuffer.wrap(filled(length, with)), options)
                .status();
    }

    private static byte[] get(LocalCacheStore store, String key, int length) {
        byte[] bytes = new byte[length];
        Status status = store.load(new RawKey(key), ByteBuffer.wrap(bytes), CallOptions.DEFAULT)
                .status();
        return status == Status.DONE ? bytes : null;
    }

    private static long detail(LocalCacheStore store, String name) {
        return ((Number) store.status().details().get(name)).longValue();
    }

    @Test
    void whatWasStoredOrLoadedIsServedWithoutTheStorage() {
        backend.objects.put("0:there", filled(9, 7));
        try (LocalCacheStore store = open();
                ArenaLease lease = store.arena().lease(4 * UNIT, Duration.ZERO)) {
            assertTrue(store.store(Stores.objects(lease, 3, 10), CallOptions.DEFAULT)
                    .allOk());
            assertEquals(Status.DONE, put(store, "single", 5, 5, CallOptions.DEFAULT));
            assertArrayEquals(filled(9, 7), get(store, "there", 9));
            assertEquals(1, asked.get());
            List<KvObject> objects = new ArrayList<>();
            for (String name : List.of("o0", "o1", "o2")) {
                objects.add(new KvObject(new RawKey(name), lease.slice(UNIT + 10 * objects.size(), 10)));
            }
            objects.add(new KvObject(new RawKey("absent"), lease.slice(2 * UNIT, 10)));
            objects.add(new KvObject(new RawKey("there"), lease.slice(3 * UNIT, 9)));
            BatchResult loaded = store.load(objects, CallOptions.DEFAULT);
            assertEquals(4, loaded.okCount());
            assertEquals(Status.MISSING, loaded.get(3).status());
            assertEquals(9, loaded.get(4).storedLength());
            for (int i = 0; i < 3; i++) {
                byte[] bytes = new byte[10];
                lease.buffer().get(UNIT + 10 * i, bytes);
                assertArrayEquals(filled(10, i), bytes);
            }
            assertArrayEquals(filled(5, 5), get(store, "single", 5));
            assertTrue(store.loadAsync(objects.subList(0, 3), CallOptions.DEFAULT)
                    .join()
                    .allOk());
            assertEquals(2, asked.get(), "the absent one alone");
            assertEquals(Set.of("o0", "o1", "o2", "single", "there"), hits);
            assertEquals(5, detail(store, "local_cpu_entries"));
            assertEquals(5 * UNIT, detail(store, "local_cpu_bytes"));
            assertEquals(8, detail(store, "local_cpu_hits"));
            assertEquals(2, detail(store, "local_cpu_misses"));
        }
    }

    @Test
    void lookupsOfKeptObjectsAreAnsweredWithTheirLength() {
        backend.objects.put("0:there", new byte[9]);
        List<KvKey> keys = List.of(new RawKey("mine"), new RawKey("there"), new RawKey("absent"));
        try (LocalCacheStore store = open()) {
            put(store, "mine", 5, 1, CallOptions.DEFAULT);
            BatchResult found = store.lookup(keys, CallOptions.DEFAULT);
            assertEquals(2, found.leadingOk());
            assertEquals(5, found.get(0).storedLength());
            assertEquals(2, asked.get());
            assertTrue(store.lookupAsync(keys.subList(0, 1), CallOptions.DEFAULT, 5)
                    .join()
                    .allOk());
            assertEquals(2, asked.get());
            BatchResult other = store.lookup(keys, CallOptions.DEFAULT, 6, 9, 9);
            assertEquals(Status.WRONG_SIZE, other.get(0).status(), "the storage judges another length");
            assertEquals(Status.DONE, other.get(1).status());
        }
    }

    @Test
    void aDeleteOrReplacementTakesEffectAtOnce() {
        try (LocalCacheStore store = open()) {
            put(store, "k", 8, 1, CallOptions.DEFAULT);
            assertEquals(Status.DONE, put(store, "k", 8, 2, REPLACE));
            assertArrayEquals(filled(8, 2), get(store, "k", 8));
            assertEquals(0, asked.get(), "the replacement is kept");
            assertEquals(Status.ALREADY_PRESENT, put(store, "k", 8, 3, CallOptions.DEFAULT));
            assertArrayEquals(filled(8, 2), get(store, "k", 8), "what was not written is not kept");
            assertTrue(
                    store.delete(List.of(new RawKey("k")), CallOptions.DEFAULT).allOk());
            assertEquals(null, get(store, "k", 8));
            assertEquals(1, asked.get());
            put(store, "k", 8, 4, CallOptions.DEFAULT);
            store.deleteAsync(List.of(new RawKey("k")), CallOptions.DEFAULT).join();
            assertEquals(
                    Status.MISSING,
                    store.lookup(List.of(new RawKey("k")), CallOptions.DEFAULT)
                            .get(0)
                            .status());
        }
    }

    @Test
    void onlyAcknowledgedWritesAreKept() {
        try (LocalCacheStore store = open()) {
            backend.fail(Op.WRITE, "bad");
            put(store, "good", 8, 1, REPLACE);
            assertEquals(Status.FAILED, put(store, "bad", 8, 1, REPLACE));
            assertEquals(null, get(store, "bad", 8));
            assertEquals(1, detail(store, "local_cpu_entries"));
            backend.objects.put("0:other", filled(8, 9));
            assertEquals(Status.ALREADY_PRESENT, put(store, "other", 8, 1, CallOptions.DEFAULT));
            assertArrayEquals(filled(8, 9), get(store, "other", 8), "the bytes of the storage");
        }
    }

    @Test
    void aLoadThatAReplacementOvertookIsNotKept() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        try (LocalCacheStore store = open()) {
            backend.objects.put("0:k", filled(8, 1));
            CompletableFuture<byte[]> old = new CompletableFuture<>();
            Thread reader;
            backend.after(batch -> {
                if (batch.op() == Op.READ && reading.getCount() > 0) {
                    reading.countDown();
                    await(replaced);
                }
            });
            reader = new Thread(() -> old.complete(get(store, "k", 8)));
            reader.start();
            reading.await();
            assertEquals(Status.DONE, put(store, "k", 8, 2, REPLACE));
            replaced.countDown();
            assertArrayEquals(filled(8, 1), old.join(), "it began before");
            assertArrayEquals(filled(8, 2), get(store, "k", 8));
            reader.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWriteWithUnknownOutcomeKeepsItsKeyOut() throws InterruptedException {
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (LocalCacheStore store = open()) {
            put(store, "k", 8, 1, CallOptions.DEFAULT);
            backend.before(batch -> {
                if (batch.op() == Op.WRITE && batch.name(0).equals("k")) {
                    await(letGo);
                }
            });
            backend.after(batch -> {
                if (batch.op() == Op.WRITE && batch.name(0).equals("k")) {
                    ended.countDown();
                }
            });
            assertEquals(Status.TIMED_OUT, put(store, "k", 8, 2, REPLACE.with(Duration.ofMillis(100))));
            assertArrayEquals(filled(8, 1), get(store, "k", 8));
            letGo.countDown();
            ended.await();
            assertArrayEquals(filled(8, 2), get(store, "k", 8), "the late write is seen");
            assertEquals(0, detail(store, "local_cpu_entries"));
            assertEquals(1, detail(store, "local_cpu_uncertain"));
        }
    }

    @Test
    void theLeastRecentlyUsedLeaveAtTheLimit() {
        try (LocalCacheStore store = open(3 * UNIT)) {
            for (String key : List.of("a", "b", "c")) {
                put(store, key, 100, 1, CallOptions.DEFAULT);
            }
            get(store, "a", 100);
            put(store, "d", 100, 1, CallOptions.DEFAULT);
            assertEquals(3 * UNIT, detail(store, "local_cpu_bytes"));
            assertEquals(1, detail(store, "local_cpu_evicted"));
            get(store, "a", 100);
            get(store, "c", 100);
            get(store, "d", 100);
            assertEquals(0, asked.get());
            get(store, "b", 100);
            assertEquals(1, asked.get());
            assertEquals(Status.DONE, put(store, "huge", 3 * UNIT + 1, 1, CallOptions.DEFAULT));
            assertEquals(3, detail(store, "local_cpu_entries"), "what never fits moves nothing");
        }
    }

    @Test
    void transfersGetTheMemoryTheyNeed() {
        try (LocalCacheStore store = open(Stores.ARENA)) {
            for (int i = 0; i < Stores.ARENA / UNIT; i++) {
                put(store, "k" + i, 100, i, CallOptions.DEFAULT);
            }
            assertTrue(detail(store, "local_cpu_bytes") > Stores.ARENA / 2);
            try (ArenaLease lease = store.arena().lease(Stores.ARENA, Duration.ZERO)) {
                assertEquals(Stores.ARENA, lease.slice().length());
                assertEquals(0, detail(store, "local_cpu_bytes"));
                backend.objects.put("0:o", filled(8, 3));
                KvObject object = new KvObject(new RawKey("o"), lease.slice(0, 8));
                assertTrue(store.load(List.of(object), CallOptions.DEFAULT).allOk(), "without memory to keep it");
            }
            assertEquals(Stores.ARENA, store.arena().freeBytes());
            put(store, "k", 100, 1, CallOptions.DEFAULT);
            assertEquals(1, detail(store, "local_cpu_entries"));
            try (ArenaLease wanted = store.arena().lease(new KvSlice(0, 0, Stores.ARENA))) {
                assertEquals(0, detail(store, "local_cpu_entries"), "a certain place as well");
                assertEquals(0, wanted.slice().offset());
            }
        }
    }

    @Test
    void whatAnEvictionRemovedIsForgotten() {
        try (LocalCacheStore store = open()) {
            put(store, "k", 8, 1, CallOptions.DEFAULT);
            backend.objects.clear();
            cache.forget(digests.of(new RawKey("k")));
            assertEquals(null, get(store, "k", 8));
        }
    }

    @Test
    void misuseIsRefusedAndAClosedStoreServesNothing() {
        LocalCacheStore store = open();
        RawKey key = new RawKey("k");
        try (ArenaLease lease = store.arena().lease(UNIT, Duration.ZERO)) {
            put(store, "k", 8, 1, CallOptions.DEFAULT);
            KvObject object = new KvObject(key, lease.slice(0, 8));
            assertThrows(StorageException.class, () -> store.load(List.of(), CallOptions.DEFAULT));
            assertThrows(StorageException.class, () -> store.load(List.of(object, object), CallOptions.DEFAULT));
            assertThrows(StorageException.class, () -> store.lookup(List.of(key), CallOptions.DEFAULT, 1, 2));
            assertThrows(StorageException.class, () -> get(store, "../x", 8));
            assertThrows(StorageException.class, () -> put(store, "k", 0, 0, REPLACE));
            store.close();
            assertThrows(StorageException.class, () -> store.load(List.of(object), CallOptions.DEFAULT));
            assertThrows(StorageException.class, () -> store.lookup(List.of(key), CallOptions.DEFAULT));
        }
        assertEquals(0, detail(store, "local_cpu_bytes"));
        assertEquals(Stores.ARENA, store.arena().freeBytes());
    }
}
