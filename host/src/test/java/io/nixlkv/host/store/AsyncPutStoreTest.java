package io.nixlkv.host.store;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import io.nixlkv.host.async.AsyncPutStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AsyncPutStoreTest {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(20));

    private static final CallOptions REPLACE = CallOptions.DEFAULT.with(Mode.REPLACE);
    private static final RawKey KEY = new RawKey("k");

    private final ScriptedBackend backend = new ScriptedBackend();
    private final CountDownLatch writes = new CountDownLatch(1);

    private AsyncPutStore open() {
        backend.before(batch -> {
            if (batch.op() == Op.WRITE) {
                try {
                    writes.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        return new AsyncPutStore(
                Stores.open(backend, 8), Duration.ofSeconds(20), Atomicity.PER_OBJECT, length -> length);
    }

    private static Object detail(AsyncPutStore store, String key) {
        return store.status().details().get(key);
    }

    @Test
    void returnsBeforeTheObjectsAreWrittenAndServesThemMeanwhile() {
        try (AsyncPutStore store = open();
                ArenaLease lease = store.arena().lease(1000, Duration.ZERO)) {
            List<KvObject> objects = Stores.objects(lease, 4, 100);
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            assertTrue(backend.objects.isEmpty());
            assertEquals(4, detail(store, "async_put_in_flight"));
            for (int i = 0; i < 400; i++) {
                lease.buffer().put(i, (byte) -1);
            }
            BatchResult found =
                    store.lookup(List.of(new RawKey("o0"), new RawKey("none"), new RawKey("o3")), CallOptions.DEFAULT);
            assertEquals(
                    List.of(Status.DONE, Status.MISSING, Status.DONE),
                    found.results().stream().map(ObjectResult::status).toList());
            assertEquals(100, found.get(2).storedLength());
            assertTrue(store.load(objects, CallOptions.DEFAULT).allOk());
            for (int i = 0; i < 400; i++) {
                assertEquals((byte) (i / 100), lease.buffer().get(i));
            }
            byte[] one = new byte[100];
            assertTrue(store.load(new RawKey("o2"), ByteBuffer.wrap(one), CallOptions.DEFAULT)
                    .ok());
            assertEquals(2, one[50]);
            writes.countDown();
            EVENTUALLY.until(() -> backend.objects.size() == 4);
            EVENTUALLY.until(() -> (int) detail(store, "async_put_in_flight") == 0);
            EVENTUALLY.until(() -> store.arena().freeBytes() == Stores.ARENA - 4096);
            assertEquals(
                    0L,
                    detail(store, "async_put_failures"),
                    () -> store.status().toString());
        }
    }

    @Test
    void aDeleteAndASecondPutWaitForTheFirst() {
        try (AsyncPutStore store = open()) {
            store.store(KEY, ByteBuffer.wrap(new byte[] {1}), REPLACE);
            CallOptions brief = REPLACE.with(Duration.ofMillis(50));
            assertEquals(
                    Status.TIMED_OUT, store.delete(List.of(KEY), brief).get(0).status());
            assertEquals(
                    Status.TIMED_OUT,
                    store.store(KEY, ByteBuffer.wrap(new byte[] {9}), brief).status());
            CompletableFuture<BatchResult> deleted = store.deleteAsync(List.of(KEY), CallOptions.DEFAULT);
            assertFalse(deleted.isDone());
            writes.countDown();
            assertTrue(deleted.join().allOk());
            for (int i = 0; i < 50; i++) {
                store.store(KEY, ByteBuffer.wrap(new byte[] {(byte) i}), REPLACE);
            }
            EVENTUALLY.until(() -> (int) detail(store, "async_put_in_flight") == 0);
            assertArrayEquals(new byte[] {49}, backend.objects.get("0:k"));
        }
    }

    @Test
    void aFailureBehindIsReported() {
        backend.fail(Op.WRITE, "k");
        try (AsyncPutStore store = open();
                ArenaLease lease = store.arena().lease(10, Duration.ZERO)) {
            assertTrue(store.store(KEY, ByteBuffer.allocate(5), CallOptions.DEFAULT)
                    .ok());
            writes.countDown();
            EVENTUALLY.until(() -> (long) detail(store, "async_put_failures") == 1);
            assertTrue(
                    detail(store, "async_put_last_failure").toString().contains("store k in TEST"),
                    detail(store, "async_put_last_failure").toString());
            EVENTUALLY.until(
                    () -> store.lookup(List.of(KEY), CallOptions.DEFAULT).get(0).status() == Status.MISSING);
            BatchResult told = store.storeAsync(List.of(new KvObject(KEY, lease.slice(0, 5))), CallOptions.DEFAULT)
                    .join();
            assertEquals(Status.FAILED, told.get(0).status(), "the future tells how the writing ended");
        }
    }

    /** With the second accepted while the first is written, a delete that waits for the second alone would be undone by the first. */
    @Test
    void putsOfOneKeyThatWaitedForMemoryFollowEachOther() throws Exception {
        try (AsyncPutStore store = open()) {
            List<CompletableFuture<ObjectResult>> puts;
            try (ArenaLease all = store.arena().lease(Stores.ARENA, Duration.ZERO)) {
                assertEquals(Stores.ARENA, all.slice().length());
                puts = Stream.of((byte) 1, (byte) 2)
                        .map(value -> CompletableFuture.supplyAsync(
                                () -> store.store(KEY, ByteBuffer.wrap(new byte[] {value}), REPLACE),
                                task -> new Thread(task).start()))
                        .toList();
                Thread.sleep(200);
                assertEquals(0, detail(store, "async_put_in_flight"));
            }
            CompletableFuture.anyOf(puts.get(0), puts.get(1)).get();
            Thread.sleep(200);
            assertEquals(1, puts.stream().filter(CompletableFuture::isDone).count());
            writes.countDown();
            for (CompletableFuture<ObjectResult> put : puts) {
                assertTrue(put.get().ok());
            }
            assertTrue(store.delete(List.of(KEY), CallOptions.DEFAULT).allOk());
            assertTrue(backend.objects.isEmpty());
        }
    }

    @Test
    void theArenaBoundsWhatIsUnderWay() {
        try (AsyncPutStore store = open()) {
            CallOptions brief = CallOptions.DEFAULT.with(Duration.ofMillis(30));
            int accepted = 0;
            Status last = Status.DONE;
            for (int i = 0; i < 40 && last == Status.DONE; i++) {
                last = store.store(new RawKey("k" + i), ByteBuffer.allocate(64 << 10), brief)
                        .status();
                accepted += last == Status.DONE ? 1 : 0;
            }
            assertEquals(Status.NO_SPACE, last);
            assertEquals(Stores.ARENA / (64 << 10), accepted);
            writes.countDown();
            assertTrue(store.store(new RawKey("x"), ByteBuffer.allocate(64 << 10), CallOptions.DEFAULT)
                    .ok());
        }
        assertEquals(Stores.ARENA / (64 << 10) + 1, backend.objects.size(), "close waits for what is under way");
    }

    @Test
    void whatIsTooLargeToBeCopiedAsideIsWrittenAtOnce() {
        writes.countDown();
        try (AsyncPutStore store = open()) {
            assertTrue(store.store(KEY, ByteBuffer.allocate(Stores.ARENA / 2 + 1), CallOptions.DEFAULT)
                    .ok());
            assertEquals(1, backend.objects.size());
            assertEquals(0L, detail(store, "async_put_accepted"));
        }
    }

    private CompletableFuture<BatchResult> putBehind(AsyncPutStore store, ArenaLease lease, int value) {
        lease.buffer().put(value, (byte) value);
        return store.storeAsync(List.of(new KvObject(KEY, lease.slice(value, 1))), REPLACE);
    }

    @Test
    void callsForOneKeyTakeEffectInTheirOrder() throws Exception {
        try (AsyncPutStore store = open();
                ArenaLease lease = store.arena().lease(10, Duration.ZERO)) {
            List<CompletableFuture<BatchResult>> calls = new ArrayList<>();
            for (int i = 1; i <= 5; i++) {
                calls.add(putBehind(store, lease, i));
            }
            CompletableFuture<ObjectResult> blocking = CompletableFuture.supplyAsync(
                    () -> store.store(KEY, ByteBuffer.wrap(new byte[] {6}), REPLACE), task -> new Thread(task).start());
            Thread.sleep(200);
            calls.add(store.deleteAsync(List.of(KEY), CallOptions.DEFAULT));
            calls.add(putBehind(store, lease, 7));
            calls.add(putBehind(store, lease, 8));
            CompletableFuture<Long> done = calls.get(5)
                    .thenApply(deleted ->
                            calls.stream().filter(CompletableFuture::isDone).count());
            writes.countDown();
            for (CompletableFuture<BatchResult> call : calls) {
                assertTrue(call.get().allOk());
            }
            assertTrue(blocking.get().ok());
            assertTrue(done.get() >= 6, "a delete goes behind the puts before it");
            assertArrayEquals(new byte[] {8}, backend.objects.get("0:k"));
        }
    }

    @Test
    void anAllOrNothingStoreWaitsForItsTurnToo() throws Exception {
        try (AsyncPutStore store = open();
                ArenaLease lease = store.arena().lease(10, Duration.ZERO)) {
            CompletableFuture<BatchResult> first = putBehind(store, lease, 1);
            lease.buffer().put(2, (byte) 2);
            CompletableFuture<BatchResult> whole = CompletableFuture.supplyAsync(
                    () -> store.store(
                            List.of(new KvObject(KEY, lease.slice(2, 1))), REPLACE.with(Atomicity.ALL_OR_NOTHING)),
                    task -> new Thread(task).start());
            Thread.sleep(200);
            assertFalse(whole.isDone());
            writes.countDown();
            assertTrue(first.get().allOk());
            assertTrue(whole.get().allOk());
            assertArrayEquals(new byte[] {2}, backend.objects.get("0:k"));
        }
    }

    /** Of what is not padded itself, the store does not ask that it starts at a multiple of the unit. */
    @Test
    void paddingDoesNotReachTheNextObject() {
        StoreSpec spec = Stores.spec(ScriptedBackend.offer(100), 2, false, new LengthRule(16 << 10));
        try (AsyncPutStore store = new AsyncPutStore(
                        Stores.open(backend, spec),
                        Duration.ofSeconds(20),
                        Atomicity.PER_OBJECT,
                        spec.lengths()::stored);
                ArenaLease lease = store.arena().lease(64 << 10, Duration.ZERO)) {
            List<KvObject> objects = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int at = i * (16 << 10);
                lease.buffer().put(at, (byte) (i + 1));
                objects.add(new KvObject(new RawKey("o" + i), lease.slice(at, i == 0 ? 100 : 16 << 10)));
            }
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            EVENTUALLY.until(() -> (int) detail(store, "async_put_in_flight") == 0);
            for (int i = 0; i < 4; i++) {
                assertEquals(i + 1, backend.objects.get("0:o" + i)[0], "o" + i);
                assertEquals(16 << 10, backend.objects.get("0:o" + i).length);
            }
        }
    }

    /** Beside what the caller holds, there is no place for a second copy: in the first case for none ever. */
    @ParameterizedTest
    @ValueSource(ints = {600 << 10, 400 << 10})
    void slicesOfWhichNoCopyFitsAreWrittenFromWhereTheyAre(int bytes) {
        writes.countDown();
        try (AsyncPutStore store = open()) {
            ArenaLease before = store.arena().lease((Stores.ARENA - bytes) / 2, Duration.ZERO);
            ArenaLease lease = store.arena().lease(bytes, Duration.ZERO);
            before.close();
            List<KvObject> objects = Stores.objects(lease, 10, bytes / 10);
            assertTrue(store.store(objects, REPLACE.with(Duration.ofSeconds(5))).allOk());
            assertEquals(10, backend.objects.size());
            assertEquals(0L, detail(store, "async_put_accepted"));
            lease.close();
        }
    }

    @Test
    void aDeadlineMayBeLongerThanNanosecondsCount() {
        writes.countDown();
        try (AsyncPutStore store = open()) {
            CallOptions forever = REPLACE.with(Duration.ofSeconds(Long.MAX_VALUE));
            assertTrue(store.store(KEY, ByteBuffer.allocate(5), forever).ok());
            assertTrue(store.delete(List.of(KEY), forever).allOk());
        }
    }
}
