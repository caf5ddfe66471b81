package io.nixlkv.host.store;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.capacity.CapacitySettings;
import io.nixlkv.host.capacity.CapacityStore;
import io.nixlkv.host.capacity.Census;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CapacityStoreTest {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(20));

    private static final CallOptions REPLACE = CallOptions.DEFAULT.with(Mode.REPLACE);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Set<String> gone = new ConcurrentSkipListSet<>();

    private CapacityStore open(long max, boolean evicts, Duration lease) {
        DynamicStore store = Stores.open(backend, 2);
        return open(store, max, evicts, lease, visitor -> store.listAll(Duration.ofSeconds(20), visitor));
    }

    private CapacityStore open(DynamicStore store, long max, boolean evicts, Duration lease, Census census) {
        return new CapacityStore(
                store,
                census,
                new CapacitySettings(max, evicts, 0.8, 0.2, lease, true),
                new KeyDigests(Stores.spec(ScriptedBackend.offer(1), 1, false, LengthRule.EXACT)
                        .layout()),
                Atomicity.PER_OBJECT,
                length -> length,
                key -> gone.add(key.text()));
    }

    private static ObjectResult put(CapacityStore store, String key, int bytes) {
        return store.store(new RawKey(key), ByteBuffer.allocate(bytes), REPLACE);
    }

    private static long used(CapacityStore store) {
        return (long) store.status().details().get("used_bytes");
    }

    private static String phase(CapacityStore store) {
        return store.status().details().get("capacity_phase").toString();
    }

    @Test
    void countsWhatIsThereAndFollowsWhatChanges() {
        backend.objects.put("0:a", new byte[100]);
        backend.objects.put("0:b", new byte[50]);
        try (CapacityStore store = open(1000, false, Duration.ZERO)) {
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            assertEquals(150, used(store));
            put(store, "c", 30);
            assertEquals(180, used(store));
            put(store, "a", 10);
            assertEquals(90, used(store), "a replacement counts once");
            store.delete(List.of(new RawKey("b"), new RawKey("nope")), CallOptions.DEFAULT);
            assertEquals(40, used(store));
            store.delete(List.of(new RawKey("b")), CallOptions.DEFAULT);
            assertEquals(40, used(store));
            backend.fail(Op.WRITE, "bad");
            put(store, "bad", 500);
            assertEquals(40, used(store));
        }
    }

    @Test
    void refusesAtTheLimitPerObjectAndWithAReason() {
        try (CapacityStore store = open(250, false, Duration.ZERO);
                ArenaLease lease = store.arena().lease(1000, Duration.ZERO)) {
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            List<KvObject> objects = Stores.objects(lease, 4, 100);
            BatchResult result = store.store(objects, CallOptions.DEFAULT);
            assertEquals(2, result.leadingOk());
            assertEquals(2, result.count(Status.NO_SPACE));
            assertTrue(
                    result.get(3).reason().contains("store o3: skipped, max_capacity_gb (250 bytes) is used up"),
                    result.get(3).reason());
            assertEquals(200, used(store));
            assertEquals(2, store.store(objects, CallOptions.DEFAULT).count(Status.ALREADY_PRESENT));
            assertEquals(
                    0,
                    store.store(objects, CallOptions.DEFAULT.with(Atomicity.ALL_OR_NOTHING))
                            .okCount());
            assertEquals(Status.NO_SPACE, put(store, "x", 51).status());
            assertEquals(Status.DONE, put(store, "x", 50).status());
            assertEquals(250, used(store));
            assertEquals(
                    250,
                    backend.objects.values().stream().mapToInt(v -> v.length).sum());
            assertEquals(Set.of(), gone);
        }
    }

    /** Another process deleted it. */
    @Test
    void aRefusalCountsAnewWhereNothingMayBeEvicted() {
        AtomicInteger listings = new AtomicInteger();
        DynamicStore inner = Stores.open(backend, 2);
        try (CapacityStore store = open(inner, 250, false, Duration.ZERO, visitor -> {
            listings.incrementAndGet();
            inner.listAll(Duration.ofSeconds(20), visitor);
        })) {
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            put(store, "a", 200);
            backend.objects.clear();
            assertEquals(Status.NO_SPACE, put(store, "b", 100).status());
            EVENTUALLY.until(() -> used(store) == 0);
            assertEquals(Status.DONE, put(store, "b", 100).status());
            for (int i = 0; i < 100; i++) {
                assertEquals(Status.NO_SPACE, put(store, "c", 200).status());
            }
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            assertEquals(2, listings.get(), "not for each refusal");
        }
    }

    @Test
    void aFirstCountThatFailsIsRepeated() {
        backend.objects.put("0:a", new byte[200]);
        DynamicStore inner = Stores.open(backend, 2);
        AtomicInteger listings = new AtomicInteger();
        try (CapacityStore store = open(inner, 250, false, Duration.ZERO, visitor -> {
            if (listings.incrementAndGet() == 1) {
                throw new OutOfMemoryError("as if");
            }
            inner.listAll(Duration.ofSeconds(20), visitor);
        })) {
            EVENTUALLY.until(() -> used(store) == 200);
            assertEquals(Status.NO_SPACE, put(store, "b", 100).status());
        }
    }

    @Test
    void evictsWhatWasNotUsedForLongest() {
        try (CapacityStore store = open(1000, true, Duration.ZERO)) {
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            for (int i = 0; i < 30; i++) {
                put(store, "k" + i, 100);
                assertTrue(used(store) <= 1000);
            }
            EVENTUALLY.until(() -> used(store) < 800 && phase(store).equals("idle"));
            assertFalse(gone.isEmpty());
            long stored =
                    backend.objects.values().stream().mapToLong(v -> v.length).sum();
            assertEquals(stored, used(store));
            for (String key : gone) {
                assertFalse(backend.objects.containsKey("0:" + key));
            }
        }
    }

    @Test
    void leavesAloneWhatWasJustLookedUpOrIsBeingRead() throws InterruptedException {
        for (int i = 0; i < 9; i++) {
            backend.objects.put("0:k" + i, new byte[100]);
        }
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (CapacityStore store = open(1000, true, Duration.ofMinutes(1))) {
            backend.before(batch -> {
                if (batch.op() == Op.READ) {
                    reading.countDown();
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            Thread reader =
                    new Thread(() -> store.load(new RawKey("k3"), ByteBuffer.allocate(100), CallOptions.DEFAULT));
            reader.start();
            reading.await();
            EVENTUALLY.until(() -> used(store) < 800 && phase(store).equals("idle"));
            assertTrue(backend.objects.containsKey("0:k3"), "it is being read");
            int before = backend.objects.size();
            List<RawKey> looked = backend.objects.keySet().stream()
                    .map(name -> new RawKey(name.substring(2)))
                    .toList();
            assertEquals(before, store.lookup(looked, CallOptions.DEFAULT).okCount());
            put(store, "n1", 100);
            put(store, "n2", 100);
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            assertEquals(before, store.lookup(looked, CallOptions.DEFAULT).okCount(), "all are leased");
            go.countDown();
            reader.join();
        }
    }

    @Test
    void leavesAloneWhatAnotherProcessStoredAndThisOneFound() {
        try (CapacityStore store = open(1000, true, Duration.ofMinutes(1))) {
            EVENTUALLY.until(() -> phase(store).equals("idle"));
            List<RawKey> others = List.of(new RawKey("a"), new RawKey("b"), new RawKey("c"));
            others.forEach(key -> backend.objects.put("0:" + key.text(), new byte[100]));
            assertEquals(
                    2, store.lookup(others.subList(0, 2), CallOptions.DEFAULT).okCount());
            assertEquals(
                    1,
                    store.lookupAsync(others.subList(2, 3), CallOptions.DEFAULT)
                            .join()
                            .okCount());
            for (int i = 0; i < 9; i++) {
                put(store, "k" + i, 100);
            }
            EVENTUALLY.until(() -> !gone.isEmpty() && phase(store).equals("idle"));
            assertEquals(3, store.lookup(others, CallOptions.DEFAULT).okCount());
        }
    }

    @Test
    void aListingThatFailsIsToldAndTriedAgain() {
        DynamicStore inner = Stores.open(backend, 2);
        boolean[] broken = {true};
        try (CapacityStore store = open(inner, 1000, true, Duration.ZERO, visitor -> {
            if (broken[0]) {
                throw new IllegalStateException("cannot list");
            }
            inner.listAll(Duration.ofSeconds(20), visitor);
        })) {
            EVENTUALLY.until(() -> phase(store).equals("failed"));
            assertTrue(store.status()
                    .details()
                    .get("capacity_last_failure")
                    .toString()
                    .contains("cannot list"));
            broken[0] = false;
            for (int i = 0; i < 9; i++) {
                put(store, "k" + i, 100);
            }
            EVENTUALLY.until(() -> !gone.isEmpty());
        }
    }
}
