package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DynamicStoreTest {
    private final ScriptedBackend backend = new ScriptedBackend();

    @Test
    void storesLooksUpLoadsAndDeletes() {
        try (DynamicStore store = Stores.open(backend, 4);
                ArenaLease lease = store.arena().lease(10 * 100, Duration.ZERO)) {
            List<KvObject> objects = Stores.objects(lease, 10, 100);
            List<KvKey> keys = objects.stream().map(KvObject::key).toList();
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            assertEquals(10, store.store(objects, CallOptions.DEFAULT).count(Status.ALREADY_PRESENT));
            BatchResult found = store.lookup(keys, CallOptions.DEFAULT, 100);
            assertEquals(10, found.leadingOk());
            assertEquals(100, found.get(3).storedLength());
            for (int i = 0; i < 1000; i++) {
                lease.buffer().put(i, (byte) -1);
            }
            assertTrue(store.load(objects, CallOptions.DEFAULT).allOk());
            for (int i = 0; i < 1000; i++) {
                assertEquals((byte) (i / 100), lease.buffer().get(i));
            }
            assertTrue(store.delete(keys, CallOptions.DEFAULT).allOk());
            assertEquals(10, store.delete(keys, CallOptions.DEFAULT).count(Status.MISSING));
            assertEquals(0, store.lookup(keys, CallOptions.DEFAULT).okCount());
        }
        assertEquals(0, backend.openLanes.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 9, 100, 401})
    void everyTileHasItemsAndAtMostTheEnginesBatch(int count) {
        try (DynamicStore store = Stores.open(backend, 4);
                ArenaLease lease = store.arena().lease(count, Duration.ZERO)) {
            assertTrue(store.store(Stores.objects(lease, count, 1), CallOptions.DEFAULT)
                    .allOk());
        }
        assertEquals(
                count, backend.batchSizes.stream().mapToInt(Integer::intValue).sum());
        assertTrue(Collections.min(backend.batchSizes) >= 1);
        assertTrue(Collections.max(backend.batchSizes) <= 100);
        assertEquals(Math.max(Math.min(4, count), (count + 99) / 100), backend.batchSizes.size());
    }

    @Test
    void answersInOrderWhateverHappensToSome() {
        backend.fail(Op.READ, "o4");
        try (DynamicStore store = Stores.open(backend, 3);
                ArenaLease lease = store.arena().lease(70, Duration.ZERO)) {
            List<KvObject> objects = new ArrayList<>(Stores.objects(lease, 7, 10));
            objects.remove(2);
            store.store(objects, CallOptions.DEFAULT);
            backend.objects.put("0:o2", new byte[11]);
            backend.objects.remove("0:o5");
            BatchResult result = store.load(Stores.objects(lease, 7, 10), CallOptions.DEFAULT);
            assertEquals(
                    List.of(
                            Status.DONE,
                            Status.DONE,
                            Status.WRONG_SIZE,
                            Status.DONE,
                            Status.FAILED,
                            Status.MISSING,
                            Status.DONE),
                    result.results().stream().map(ObjectResult::status).toList());
            assertEquals(11, result.get(2).storedLength());
            assertEquals(2, result.leadingOk());
            assertTrue(
                    result.get(2).reason().startsWith("load o2 in TEST (memory): stored are 11 bytes, wanted 10"),
                    result.get(2).reason());
            assertTrue(
                    result.get(2).reason().contains("l1_align_bytes"),
                    result.get(2).reason());
            assertEquals(
                    "load o4 in TEST (memory): scripted failure of o4",
                    result.get(4).reason());
            assertEquals("", result.get(5).reason());
        }
    }

    @Test
    void lookupComparesWithTheExpectedLength() {
        backend.objects.put("0:a", new byte[5]);
        backend.objects.put("0:b", new byte[6]);
        List<RawKey> keys = List.of(new RawKey("a"), new RawKey("b"), new RawKey("c"));
        try (DynamicStore store = Stores.open(backend, 2)) {
            assertEquals(
                    List.of(Status.DONE, Status.WRONG_SIZE, Status.MISSING),
                    statuses(store.lookup(keys, CallOptions.DEFAULT, 5)));
            assertEquals(
                    List.of(Status.DONE, Status.DONE, Status.MISSING),
                    statuses(store.lookup(keys, CallOptions.DEFAULT, 5, 6, 7)));
            assertEquals(
                    List.of(Status.DONE, Status.DONE, Status.MISSING),
                    statuses(store.lookup(keys, CallOptions.DEFAULT)));
            assertThrows(StorageException.class, () -> store.lookup(keys, CallOptions.DEFAULT, 1, 2));
        }
    }

    @Test
    void refusesMisuseBeforeAnythingIsWritten() {
        try (DynamicStore store = Stores.open(backend, 2);
                ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            KvObject a = new KvObject(new RawKey("a"), lease.slice(0, 10));
            KvObject b = new KvObject(new RawKey("b"), lease.slice(10, 10));
            refused("twice in the batch", () -> store.store(List.of(a, b, a), CallOptions.DEFAULT));
            refused("empty", () -> store.store(List.of(), CallOptions.DEFAULT));
            refused(
                    "../x",
                    () -> store.store(List.of(a, new KvObject(new RawKey("../x"), b.slice())), CallOptions.DEFAULT));
            refused(
                    "is outside the store's arena; use its leases",
                    () -> store.store(
                            List.of(a, new KvObject(new RawKey("c"), new KvSlice(0, Stores.ARENA - 1, 2))),
                            CallOptions.DEFAULT));
            refused(
                    "0 bytes",
                    () -> store.store(
                            List.of(a, new KvObject(new RawKey("c"), new KvSlice(0, 0, 0))), CallOptions.DEFAULT));
            refused("no bytes", () -> store.store(new RawKey("z"), ByteBuffer.allocate(0), CallOptions.DEFAULT));
        }
        assertTrue(backend.objects.isEmpty());
        assertTrue(backend.batchSizes.isEmpty());
    }

    @Test
    void carriesOrdinaryBuffersAndLeavesTheirPositionAlone() {
        try (DynamicStore store = Stores.open(backend, 2)) {
            ByteBuffer value =
                    ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}).position(1).limit(4);
            assertEquals(
                    Status.DONE,
                    store.store(new RawKey("k"), value, CallOptions.DEFAULT).status());
            assertEquals(1, value.position());
            assertArrayEquals(new byte[] {1, 2, 3}, backend.objects.get("0:k"));
            ByteBuffer target = ByteBuffer.allocateDirect(5).position(1).limit(4);
            assertEquals(
                    Status.DONE,
                    store.load(new RawKey("k"), target, CallOptions.DEFAULT).status());
            assertEquals(1, target.position());
            assertEquals(3, target.get(3));
            ByteBuffer other = ByteBuffer.allocate(4);
            assertEquals(
                    Status.WRONG_SIZE,
                    store.load(new RawKey("k"), other, CallOptions.DEFAULT).status());
            assertEquals(0, other.get(0));
            assertEquals(Stores.ARENA, store.arena().freeBytes());
        }
    }

    @Test
    void waitsForBufferSpaceOnlyUntilTheDeadline() {
        try (DynamicStore store = Stores.open(backend, 2)) {
            ByteBuffer large = ByteBuffer.allocate(Stores.ARENA + 1);
            refused("arena_gb", () -> store.store(new RawKey("k"), large, CallOptions.DEFAULT));
            try (ArenaLease all = store.arena().lease(Stores.ARENA, Duration.ZERO)) {
                long start = System.nanoTime();
                ObjectResult result = store.store(
                        new RawKey("k"), ByteBuffer.allocate(10), CallOptions.DEFAULT.with(Duration.ofMillis(50)));
                assertEquals(Status.NO_SPACE, result.status());
                assertTrue(System.nanoTime() - start < 5_000_000_000L);
                assertEquals(Stores.ARENA, all.slice().length());
            }
            assertEquals(
                    Status.DONE,
                    store.store(new RawKey("k"), ByteBuffer.allocate(10), CallOptions.DEFAULT)
                            .status());
        }
    }

    @Test
    void anInterruptOfTheCallerChangesNothing() {
        try (DynamicStore store = Stores.open(backend, 2);
                ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            Thread.currentThread().interrupt();
            BatchResult result = store.store(Stores.objects(lease, 10, 10), CallOptions.DEFAULT);
            assertTrue(Thread.interrupted(), "the interrupt stays with the caller");
            assertTrue(result.allOk());
            assertTrue(store.load(Stores.objects(lease, 10, 10), CallOptions.DEFAULT)
                    .allOk());
        }
    }

    @Test
    void anEngineThatThrowsOrForgetsFailsOnlyItsOpenItems() {
        try (DynamicStore store = Stores.open(backend, 1);
                ArenaLease lease = store.arena().lease(30, Duration.ZERO)) {
            backend.before(batch -> {
                batch.complete(0, Status.DONE, 10);
                throw new IllegalStateException("boom");
            });
            BatchResult result = store.store(Stores.objects(lease, 3, 10), CallOptions.DEFAULT);
            assertEquals(List.of(Status.DONE, Status.FAILED, Status.FAILED), statuses(result));
            assertTrue(result.get(1).reason().contains("boom"), result.get(1).reason());
            backend.before(batch -> {});
            assertTrue(store.store(Stores.objects(lease, 3, 10), CallOptions.DEFAULT)
                    .allOk());
            assertEquals(2, backend.opened.get(), "the lane that threw is replaced");
        }
    }

    @Test
    void callsAfterCloseSaySo() {
        DynamicStore store = Stores.open(backend, 2);
        store.close();
        store.close();
        StorageException refused =
                assertThrows(StorageException.class, () -> store.lookup(List.of(new RawKey("a")), CallOptions.DEFAULT));
        assertEquals(Status.UNAVAILABLE, refused.status());
        assertThrows(StorageException.class, () -> store.list("", (key, length, time) -> true));
    }

    @Test
    void whatAnEngineCannotIsRefusedNotTried() {
        StoreSpec spec = Stores.spec(
                ScriptedBackend.offer(10, Feature.DELETE, Feature.LIST, Feature.REPLACE, Feature.STAGE),
                1,
                false,
                LengthRule.EXACT);
        try (DynamicStore store = Stores.open(backend, spec);
                ArenaLease lease = store.arena().lease(10, Duration.ZERO)) {
            List<KvObject> one = Stores.objects(lease, 1, 10);
            assertEquals(
                    Status.UNSUPPORTED,
                    assertThrows(
                                    StorageException.class,
                                    () -> store.delete(List.of(new RawKey("a")), CallOptions.DEFAULT))
                            .status());
            refused("list", () -> store.list("", (key, length, time) -> true));
            refused("REPLACE", () -> store.store(one, CallOptions.DEFAULT.with(Mode.REPLACE)));
            refused(
                    "all-or-nothing",
                    () -> store.store(one, CallOptions.DEFAULT.with(CallOptions.Atomicity.ALL_OR_NOTHING)));
        }
        assertTrue(backend.batchSizes.isEmpty());
    }

    @Test
    void asynchronousResultsComeOnTheStoresOwnThreads() {
        try (DynamicStore store = Stores.open(backend, 2);
                ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            String thread = store.storeAsync(Stores.objects(lease, 10, 10), CallOptions.DEFAULT)
                    .thenApply(result -> Thread.currentThread().getName())
                    .join();
            assertTrue(
                    thread.equals("nixlkv-test-completions")
                            || thread.equals(Thread.currentThread().getName()),
                    thread);
        }
    }

    @Test
    void spreadsOverRootsAndFindsAgain() {
        ScriptedBackend three = new ScriptedBackend(3);
        try (DynamicStore store = Stores.open(three, 2);
                ArenaLease lease = store.arena().lease(300, Duration.ZERO)) {
            List<KvObject> objects = Stores.objects(lease, 300, 1);
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            assertTrue(store.load(objects, CallOptions.DEFAULT).allOk());
            for (int root = 0; root < 3; root++) {
                String prefix = root + ":";
                long here = three.objects.keySet().stream()
                        .filter(n -> n.startsWith(prefix))
                        .count();
                assertTrue(here > 60, "root " + root + " has " + here + " of 300");
            }
            List<String> listed = new ArrayList<>();
            store.list("o1", (key, length, time) -> listed.add(key.text()));
            assertEquals(111, listed.size());
        }
    }

    @Test
    void padsWhereTheLayoutPads() {
        StoreSpec spec = Stores.spec(ScriptedBackend.offer(10), 1, false, new LengthRule(4096));
        try (DynamicStore store = Stores.open(backend, spec);
                ArenaLease lease = store.arena().lease(8192, Duration.ZERO)) {
            IntStream.range(0, 8192).forEach(i -> lease.buffer().put(i, (byte) 7));
            RawKey key = new RawKey("k");
            assertTrue(store.store(List.of(new KvObject(key, lease.slice(0, 100))), CallOptions.DEFAULT)
                    .allOk());
            byte[] stored = backend.objects.get("0:k");
            assertEquals(4096, stored.length);
            assertEquals(7, stored[99]);
            assertEquals(0, stored[100]);
            assertTrue(store.lookup(List.of(key), CallOptions.DEFAULT, 100).allOk());
            assertTrue(store.lookup(List.of(key), CallOptions.DEFAULT, 4096).allOk());
            assertFalse(store.lookup(List.of(key), CallOptions.DEFAULT, 4097).allOk());
            ByteBuffer target = ByteBuffer.allocate(100);
            assertTrue(store.load(key, target, CallOptions.DEFAULT).ok());
            assertEquals(7, target.get(99));
            refused(
                    "multiple of l1_align_bytes",
                    () -> store.store(List.of(new KvObject(key, lease.slice(50, 100))), CallOptions.DEFAULT));
            backend.objects.put("0:short", new byte[100]);
            ObjectResult wrong = store.load(new RawKey("short"), target, CallOptions.DEFAULT);
            assertEquals(Status.WRONG_SIZE, wrong.status());
            assertTrue(wrong.reason().contains("padded to 4096"), wrong.reason());
        }
    }

    @Test
    void isUnhealthyAfterARowOfFailuresAndHealthyAfterASuccess() {
        backend.fail(Op.WRITE, "bad");
        try (DynamicStore store = Stores.open(backend, 1)) {
            assertTrue(store.status().healthy());
            for (int i = 0; i < 3; i++) {
                store.store(new RawKey("bad"), ByteBuffer.allocate(1), CallOptions.DEFAULT);
            }
            assertFalse(store.status().healthy());
            assertTrue(store.status().details().get("last_failure").toString().contains("scripted failure of bad"));
            store.store(new RawKey("good"), ByteBuffer.allocate(1), CallOptions.DEFAULT);
            assertTrue(store.status().healthy());
            assertEquals(3L, store.status().details().get("failures"));
        }
    }

    private static List<Status> statuses(BatchResult result) {
        return result.results().stream().map(ObjectResult::status).toList();
    }

    private static void refused(String part, Runnable call) {
        RuntimeException thrown = assertThrows(RuntimeException.class, call::run);
        assertFalse(thrown instanceof CompletionException, "misuse is not wrapped");
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

    @Test
    void aDeadlineBeyondTheClockIsNoDeadline() {
        try (DynamicStore store = Stores.open(backend, 1)) {
            CallOptions forever = CallOptions.DEFAULT.with(Duration.ofSeconds(Long.MAX_VALUE));
            assertEquals(
                    Status.DONE,
                    store.store(new RawKey("k"), ByteBuffer.allocate(5), forever)
                            .status());
            store.arena().lease(10, Duration.ofSeconds(Long.MAX_VALUE)).close();
        }
    }
}
