package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticPoolStoreTest {
    private static final int SLOT = 100;

    @TempDir
    Path state;

    private StaticPoolStore open(ScriptedBackend backend, int slots, boolean evicts) {
        return open(backend, slots, evicts, ScriptedBackend.offer(100));
    }

    private StaticPoolStore open(ScriptedBackend backend, int slots, boolean evicts, EngineOffer engine) {
        return new StaticPoolStore(
                Stores.spec(engine, 2, false, LengthRule.EXACT),
                new PoolSettings(slots, SLOT, evicts, state),
                backend,
                new DirectArena(Stores.ARENA));
    }

    private static ObjectResult put(StaticPoolStore store, String key, int fill, int length) {
        byte[] value = new byte[length];
        java.util.Arrays.fill(value, (byte) fill);
        return store.store(new RawKey(key), ByteBuffer.wrap(value), CallOptions.DEFAULT.with(Mode.REPLACE));
    }

    private static ObjectResult get(StaticPoolStore store, String key, int fill, int length) {
        byte[] value = new byte[length];
        ObjectResult result = store.load(new RawKey(key), ByteBuffer.wrap(value), CallOptions.DEFAULT);
        if (result.ok()) {
            byte[] wanted = new byte[length];
            java.util.Arrays.fill(wanted, (byte) fill);
            assertArrayEquals(wanted, value, key);
        }
        return result;
    }

    private static Set<String> listed(StaticPoolStore store) {
        Set<String> names = new TreeSet<>();
        store.list("", (key, length, lastUse) -> names.add(key.text()));
        return names;
    }

    private static void used(StaticPoolStore store, int expected) {
        assertEquals(expected, store.status().details().get("slots_used"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void storesLooksUpLoadsDeletesAndFindsItAgain(int roots) {
        ScriptedBackend backend = new ScriptedBackend(roots);
        List<KvKey> keys;
        try (StaticPoolStore store = open(backend, 10, true);
                ArenaLease lease = store.arena().lease(10 * SLOT, Duration.ZERO)) {
            List<KvObject> objects = Stores.objects(lease, 10, SLOT);
            keys = objects.stream().map(KvObject::key).toList();
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            assertEquals(10, store.store(objects, CallOptions.DEFAULT).count(Status.ALREADY_PRESENT));
            used(store, 10);
            assertEquals("static_pool", store.status().type());
        }
        try (StaticPoolStore store = open(backend.again(), 10, true);
                ArenaLease lease = store.arena().lease(10 * SLOT, Duration.ZERO)) {
            BatchResult found = store.lookup(keys, CallOptions.DEFAULT, SLOT);
            assertEquals(10, found.leadingOk());
            assertEquals(SLOT, found.get(3).storedLength());
            assertEquals(10, store.lookup(keys, CallOptions.DEFAULT, SLOT + 1).count(Status.WRONG_SIZE));
            List<KvObject> objects = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                objects.add(new KvObject(keys.get(i), lease.slice(i * SLOT, SLOT)));
            }
            assertTrue(store.load(objects, CallOptions.DEFAULT).allOk());
            for (int i = 0; i < 10 * SLOT; i++) {
                assertEquals((byte) (i / SLOT), lease.buffer().get(i));
            }
            assertEquals(10, listed(store).size());
            assertTrue(store.delete(keys, CallOptions.DEFAULT).allOk());
            assertEquals(10, store.delete(keys, CallOptions.DEFAULT).count(Status.MISSING));
            assertEquals(10, store.load(objects, CallOptions.DEFAULT).count(Status.MISSING));
            used(store, 0);
        }
    }

    @Test
    void shorterObjectsKeepTheirLengthAlsoInAReusedSlot() {
        try (StaticPoolStore store = open(new ScriptedBackend(), 2, true)) {
            assertEquals(Status.DONE, put(store, "k", 0xAA, 100).status());
            assertEquals(Status.DONE, put(store, "k", 0xBB, 40).status());
            assertEquals(Status.DONE, get(store, "k", 0xBB, 40).status());
            ObjectResult longer = get(store, "k", 0xBB, 100);
            assertEquals(Status.WRONG_SIZE, longer.status());
            assertEquals(40, longer.storedLength());
            assertEquals(Status.DONE, put(store, "k", 0xCC, 1).status());
            assertEquals(Status.DONE, get(store, "k", 0xCC, 1).status());
            used(store, 1);
        }
    }

    @Test
    void tooLongForASlotIsRefusedWithTheKeyToTurn() {
        try (StaticPoolStore store = open(new ScriptedBackend(), 2, true)) {
            StorageException refused = assertThrows(StorageException.class, () -> put(store, "k", 1, SLOT + 1));
            assertEquals(Status.INVALID, refused.status());
            assertTrue(
                    refused.getMessage().contains("objects have 1 to 100 bytes here: a slot has slot_bytes = 100"),
                    refused.getMessage());
            used(store, 0);
        }
    }

    @Test
    void aFullPoolThatRefusesSaysSoPerObject() {
        try (StaticPoolStore store = open(new ScriptedBackend(), 2, false);
                ArenaLease lease = store.arena().lease(8 * SLOT, Duration.ZERO)) {
            BatchResult result = store.store(Stores.objects(lease, 8, SLOT), CallOptions.DEFAULT);
            assertEquals(2, result.leadingOk());
            assertEquals(6, result.count(Status.NO_SPACE));
            assertTrue(
                    result.get(5).reason().contains("the static pool of 2 slots is full"),
                    result.get(5).reason());
            used(store, 2);
            store.delete(List.of(new RawKey("o0")), CallOptions.DEFAULT);
            store.delete(List.of(new RawKey("o0")), CallOptions.DEFAULT);
            used(store, 1);
            assertEquals(Status.DONE, put(store, "x", 1, 1).status());
            used(store, 2);
        }
    }

    @Test
    void aFullPoolThatEvictsDropsTheOldest() {
        try (StaticPoolStore store = open(new ScriptedBackend(), 3, true)) {
            put(store, "a", 1, 10);
            put(store, "b", 2, 10);
            put(store, "c", 3, 10);
            get(store, "a", 1, 10);
            put(store, "d", 4, 10);
            assertEquals(Set.of("a", "c", "d"), listed(store));
            assertEquals(Status.MISSING, get(store, "b", 2, 10).status());
            assertEquals(1L, store.status().details().get("slots_evicted"));
        }
    }

    @Test
    void aFailedWriteGivesItsSlotBack() {
        ScriptedBackend backend = new ScriptedBackend();
        try (StaticPoolStore store = open(backend, 2, false)) {
            backend.fail(Op.WRITE, "0:0");
            ObjectResult failed = put(store, "a", 1, 10);
            assertEquals(Status.FAILED, failed.status());
            assertTrue(failed.reason().contains("scripted failure"), failed.reason());
            used(store, 0);
            assertEquals(Status.MISSING, get(store, "a", 1, 10).status());
        }
    }

    @Test
    void allOrNothingLeavesNothingWhenOneFails() {
        ScriptedBackend backend = new ScriptedBackend();
        CallOptions whole = CallOptions.DEFAULT.with(Atomicity.ALL_OR_NOTHING);
        try (StaticPoolStore store = open(backend, 4, false);
                ArenaLease lease = store.arena().lease(8 * SLOT, Duration.ZERO)) {
            backend.fail(Op.WRITE, "0:1");
            BatchResult result = store.store(Stores.objects(lease, 4, SLOT), whole);
            assertEquals(4, result.count(Status.FAILED));
            assertTrue(
                    result.get(0).reason().contains("all-or-nothing"),
                    result.get(0).reason());
            used(store, 0);
            result = store.store(Stores.objects(lease, 8, SLOT), whole);
            assertEquals(0, result.okCount());
            assertEquals(8, result.count(Status.NO_SPACE));
            used(store, 0);
            assertTrue(store.store(Stores.objects(lease, 2, SLOT), whole).allOk());
            assertEquals(Set.of("o0", "o1"), listed(store));
        }
    }

    @Test
    void anAllOrNothingBatchThatCannotFitEvictsNothing() {
        CallOptions whole = CallOptions.DEFAULT.with(Atomicity.ALL_OR_NOTHING);
        try (StaticPoolStore store = open(new ScriptedBackend(), 4, true);
                ArenaLease lease = store.arena().lease(8 * SLOT, Duration.ZERO)) {
            List<KvObject> objects = Stores.objects(lease, 8, SLOT);
            assertTrue(store.store(objects.subList(0, 4), whole).allOk());
            BatchResult result = store.store(objects.subList(3, 8), whole.with(Mode.REPLACE));
            assertEquals(5, result.count(Status.NO_SPACE));
            assertTrue(
                    result.get(0).reason().contains("the all-or-nothing batch needs 5 slots"),
                    result.get(0).reason());
            assertEquals(Set.of("o0", "o1", "o2", "o3"), listed(store));
            result = store.store(objects, whole);
            assertEquals(4, result.count(Status.NO_SPACE));
            assertEquals(4, result.count(Status.FAILED));
            assertEquals(Set.of("o0", "o1", "o2", "o3"), listed(store));
            assertTrue(store.store(objects.subList(3, 7), whole).allOk());
            assertEquals(Set.of("o3", "o4", "o5", "o6"), listed(store));
            assertTrue(
                    store.store(objects.subList(0, 4), whole.with(Mode.REPLACE)).allOk());
            assertEquals(Set.of("o0", "o1", "o2", "o3"), listed(store));
        }
    }

    @Test
    void aStuckWriteKeepsItsSlotUntilTheLaneLetsGo() throws InterruptedException {
        ScriptedBackend backend = new ScriptedBackend();
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        try (StaticPoolStore store = open(backend, 2, false)) {
            backend.before(batch -> {
                if (batch.op() == Op.WRITE && first.compareAndSet(true, false)) {
                    await(go);
                }
            });
            ObjectResult late = store.store(
                    new RawKey("a"), ByteBuffer.allocate(10), CallOptions.DEFAULT.with(Duration.ofMillis(50)));
            assertEquals(Status.TIMED_OUT, late.status());
            used(store, 1);
            assertEquals(Status.DONE, put(store, "b", 2, 10).status());
            assertEquals(Status.NO_SPACE, put(store, "c", 3, 10).status());
            go.countDown();
            for (long end = System.nanoTime() + 5_000_000_000L;
                    (int) store.status().details().get("slots_used") == 2 && System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
            used(store, 1);
            assertEquals(Status.DONE, put(store, "c", 3, 10).status());
            assertEquals(Set.of("b", "c"), listed(store));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void slotsThatAreNotThoseOfTheIndexMakeItEmpty() {
        ScriptedBackend backend = new ScriptedBackend(2);
        try (StaticPoolStore store = open(backend, 4, true)) {
            put(store, "a", 1, 10);
        }
        ScriptedBackend fresh = new ScriptedBackend(2);
        try (StaticPoolStore store = open(fresh, 4, true)) {
            assertEquals(Set.of(), listed(store));
            put(store, "b", 2, 10);
        }
        try (StaticPoolStore store = open(fresh.again(), 4, true)) {
            assertEquals(Set.of("b"), listed(store));
        }
        try (StaticPoolStore store = open(backend.again(), 4, true)) {
            assertEquals(Set.of(), listed(store), "the first slots have an older label");
        }
    }

    @Test
    void objectsOfLostSlotsAreMissingAndTheirSlotsFree() {
        ScriptedBackend backend = new ScriptedBackend(2);
        try (StaticPoolStore store = open(backend, 4, false)) {
            for (int i = 0; i < 4; i++) {
                put(store, "k" + i, i, 10);
            }
        }
        ScriptedBackend again = backend.again();
        again.lost.add("1:0");
        try (StaticPoolStore store = open(again, 4, false)) {
            assertEquals(Set.of("k0", "k2", "k3"), listed(store));
            used(store, 3);
            assertEquals(1L, store.status().details().get("slots_damaged"));
            assertEquals(Status.MISSING, get(store, "k1", 1, 10).status());
            assertEquals(Status.DONE, get(store, "k2", 2, 10).status());
            assertEquals(Status.DONE, put(store, "new", 9, 10).status());
            used(store, 4);
        }
        try (StaticPoolStore store = open(again.again(), 4, false)) {
            assertEquals(Set.of("k0", "k2", "k3", "new"), listed(store));
        }
    }

    @Test
    void theLayoutOfAPoolStays() {
        ScriptedBackend backend = new ScriptedBackend();
        try (StaticPoolStore store = open(backend, 2, true)) {
            put(store, "a", 1, 10);
        }
        PoolSettings files = new PoolSettings(2, SLOT, PoolLayout.FILES, true, state);
        refused("was made with pool_layout = \"slab\", wanted is \"files\"", files, 0, ScriptedBackend.offer(9));
        refused(
                "pool_layout = \"files\" is not supported by engine memory",
                files,
                0,
                ScriptedBackend.offer(9, Feature.SLOT_FILES));
        try (StaticPoolStore store = open(backend.again(), 2, true)) {
            assertEquals(Set.of("a"), listed(store));
            assertEquals("slab", store.status().details().get("pool_layout"));
        }
    }

    @Test
    void refusesWhatCannotWorkAtTheStart() {
        refused("slot_bytes must be at least 64", new PoolSettings(2, 63, true, state), 0, ScriptedBackend.offer(9));
        refused("never fit the arena", new PoolSettings(2, 2 << 20, true, state), 0, ScriptedBackend.offer(9));
        refused("make slot_bytes at least 200", new PoolSettings(2, 100, true, state), 200, ScriptedBackend.offer(9));
        refused(
                "a static pool (pool_size above 0) is not supported by engine memory",
                new PoolSettings(2, 100, true, state),
                0,
                ScriptedBackend.offer(9, Feature.SLOTS));
        try (StaticPoolStore store = open(new ScriptedBackend(), 2, true)) {
            refused("is in use by this process", new PoolSettings(2, SLOT, true, state), 0, ScriptedBackend.offer(9));
            put(store, "a", 1, 10);
        }
    }

    private static void refused(String text, PoolSettings settings, long objectBytes, EngineOffer engine) {
        StoreSpec spec = Stores.spec(engine, 2, false, LengthRule.EXACT);
        StoreSpec sized = new StoreSpec(
                spec.strategy(),
                spec.place(),
                engine,
                spec.layout(),
                spec.lengths(),
                2,
                4096,
                spec.deadline(),
                spec.mode(),
                spec.atomicity(),
                false,
                false,
                objectBytes,
                spec.facts());
        ScriptedBackend backend = new ScriptedBackend();
        StorageException refused = assertThrows(
                StorageException.class,
                () -> new StaticPoolStore(sized, settings, backend, new DirectArena(Stores.ARENA)));
        assertTrue(refused.getMessage().contains(text), refused.getMessage());
        assertEquals(0, backend.openLanes.get());
    }

    @Test
    void readersNeverSeeAnotherKeysBytesWhileThePoolChurns() throws InterruptedException {
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        try (StaticPoolStore store = open(new ScriptedBackend(), 8, true)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int seed = i;
                threads.add(new Thread(() -> {
                    Random random = new Random(seed);
                    try {
                        for (int round = 0; round < 3000; round++) {
                            int key = random.nextInt(20);
                            if (random.nextBoolean()) {
                                put(store, "k" + key, key, 10 + key);
                            } else {
                                get(store, "k" + key, key, 10 + key);
                            }
                            if (random.nextInt(10) == 0) {
                                store.delete(List.of(new RawKey("k" + key)), CallOptions.DEFAULT);
                            }
                            int used = (int) store.status().details().get("slots_used");
                            assertTrue(used >= 0 && used <= 8, "used " + used);
                        }
                    } catch (Throwable failure) {
                        wrong.compareAndSet(null, failure);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (wrong.get() != null) {
            throw new AssertionError(wrong.get());
        }
    }
}
