package io.nixlkv.host.store;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** A lane that does not come back by the deadline: the callers are answered, the memory is kept, the store works on. */
class StuckLaneTest {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(20));

    private static final CallOptions SHORT = CallOptions.DEFAULT.with(Duration.ofMillis(200));

    private final ScriptedBackend backend = new ScriptedBackend();
    private final CountDownLatch gate = new CountDownLatch(1);

    private void hangOn(Op op, String name) {
        backend.before(batch -> {
            if (batch.op() == op && batch.name(0).equals(name)) {
                boolean opened = wait(gate);
                assertTrue(opened, "the test forgot to open the gate");
            }
        });
    }

    private static boolean wait(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("workers are never interrupted", e);
        }
    }

    @Test
    void answersAtTheDeadlineKeepsTheMemoryAndWorksOn() {
        hangOn(Op.WRITE, "o0");
        try (DynamicStore store = Stores.open(backend, 1)) {
            ArenaLease lease = store.arena().lease(4096, Duration.ZERO);
            long start = System.nanoTime();
            BatchResult result = store.store(Stores.objects(lease, 2, 10), SHORT);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertEquals(2, result.count(Status.TIMED_OUT));
            assertTrue(millis >= 200 && millis < 5000, millis + " ms");
            assertTrue(
                    result.get(0).reason().contains("did not answer before the deadline"),
                    result.get(0).reason());

            lease.close();
            assertEquals(Stores.ARENA - 4096, store.arena().freeBytes(), "a stuck lane may still touch it");
            assertEquals(1, store.status().details().get("stuck_workers"));

            assertEquals(
                    Status.DONE,
                    store.store(new RawKey("other"), ByteBuffer.allocate(5), CallOptions.DEFAULT)
                            .status(),
                    "a replacement works on");
            gate.countDown();
            EVENTUALLY.until(() -> store.arena().freeBytes() == Stores.ARENA);
            EVENTUALLY.until(() -> store.status().details().get("stuck_workers").equals(0));
            EVENTUALLY.until(() -> backend.openLanes.get() == 1);
            assertTrue(store.status().healthy());
        }
        assertEquals(0, backend.openLanes.get());
    }

    @Test
    void itemsThatWereDoneBeforeTheHangKeepTheirResult() {
        backend.before(batch -> {
            batch.complete(0, Status.DONE, 10);
            wait(gate);
        });
        try (DynamicStore store = Stores.open(backend, 1);
                ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            BatchResult result = store.store(Stores.objects(lease, 2, 10), SHORT);
            assertEquals(Status.DONE, result.get(0).status());
            assertEquals(Status.TIMED_OUT, result.get(1).status());
            gate.countDown();
        }
    }

    @Test
    void callsBehindAStuckStoreTimeOutWithoutRunning() {
        hangOn(Op.WRITE, "o0");
        try (DynamicStore store = Stores.open(backend, 1);
                ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            for (int i = 0; i < 2; i++) {
                assertEquals(1, store.store(Stores.objects(lease, 1, 10), SHORT).count(Status.TIMED_OUT));
            }
            BatchResult third = store.store(Stores.objects(lease, 2, 10), SHORT);
            assertEquals(2, third.count(Status.TIMED_OUT));
            assertTrue(
                    third.get(0).reason().contains("no worker was free"),
                    third.get(0).reason());
            assertFalse(store.status().healthy());
            gate.countDown();
            EVENTUALLY.until(
                    () -> store.lookup(List.of(new RawKey("o0")), SHORT).allOk());
        }
    }

    @Test
    void whatAStuckLaneStagesLateIsDiscarded() {
        hangOn(Op.STAGE, "o0");
        try (DynamicStore store = Stores.open(backend, 2);
                ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            BatchResult result = store.store(Stores.objects(lease, 4, 10), SHORT.with(Atomicity.ALL_OR_NOTHING));
            assertEquals(0, result.okCount());
            gate.countDown();
            EVENTUALLY.until(() -> store.status().details().get("stuck_workers").equals(0));
            assertTrue(backend.staged.isEmpty(), backend.staged.keySet().toString());
            assertTrue(backend.objects.isEmpty());
        }
    }

    @Test
    void memoryOfACancelledCallIsNotLentAgainWhileItsLaneRuns() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        backend.before(batch -> {
            running.countDown();
            assertTrue(wait(gate));
        });
        try (DynamicStore store = Stores.open(backend, 1)) {
            ArenaLease lease = store.arena().lease(Stores.ARENA, Duration.ZERO);
            CompletableFuture<BatchResult> stored = store.storeAsync(Stores.objects(lease, 2, 10), CallOptions.DEFAULT);
            CompletableFuture<BatchResult> queued = store.storeAsync(
                    List.of(new KvObject(new RawKey("queued"), lease.slice(20, 10))), CallOptions.DEFAULT);
            assertTrue(wait(running));
            assertTrue(stored.cancel(false));
            assertTrue(queued.complete(null));
            lease.close();
            assertEquals(0, store.arena().freeBytes());
            StorageException full =
                    assertThrows(StorageException.class, () -> store.arena().lease(4096, Duration.ofMillis(50)));
            assertEquals(Status.NO_SPACE, full.status());
            gate.countDown();
            store.arena().lease(Stores.ARENA, Duration.ofSeconds(20)).close();
            assertEquals(1, backend.objects.get("0:o1")[0], "the lane stored what its owner had written");
            assertEquals(3, backend.objects.size());
        }
    }

    @Test
    void closingIsBoundedWhenTheBackendDoesNotClose() {
        backend.beforeClose(() -> assertTrue(wait(gate)));
        DynamicStore store = Stores.open(backend, 1);
        long start = System.nanoTime();
        store.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        gate.countDown();
        assertTrue(millis >= 2000 && millis < 5000, millis + " ms");
    }

    @Test
    void anAsynchronousCallThatOutlivesCloseIsAnswered() throws Exception {
        hangOn(Op.WRITE, "o0");
        DynamicStore store = Stores.open(backend, 1);
        CompletableFuture<BatchResult> future;
        try (ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            future = store.storeAsync(Stores.objects(lease, 1, 10), CallOptions.DEFAULT);
            CountDownLatch released = new CountDownLatch(1);
            store.whenReleased(released::countDown);
            store.close();
            assertEquals(1, released.getCount(), "a lane may still touch the memory");
            gate.countDown();
            assertTrue(released.await(20, TimeUnit.SECONDS), "and now it does not");
            assertEquals(
                    Status.UNAVAILABLE, future.get(25, TimeUnit.SECONDS).get(0).status(), "the backend was closed");
        }
    }

    @Test
    void whatWasStagedIsDiscardedWhenNoWorkerIsFreeToPublishIt() throws Exception {
        CountDownLatch staging = new CountDownLatch(1);
        CountDownLatch behind = new CountDownLatch(1);
        backend.before(batch -> {
            if (batch.op() == Op.STAGE) {
                staging.countDown();
                assertTrue(wait(behind));
            } else if (batch.op() == Op.QUERY) {
                assertTrue(wait(gate));
            }
        });
        try (DynamicStore store = Stores.open(backend, 1);
                ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            CompletableFuture<BatchResult> stored = store.storeAsync(
                    Stores.objects(lease, 1, 10),
                    CallOptions.DEFAULT.with(Duration.ofSeconds(1)).with(Atomicity.ALL_OR_NOTHING));
            assertTrue(wait(staging));
            CompletableFuture<BatchResult> looked = store.lookupAsync(List.of(new RawKey("o1")), CallOptions.DEFAULT);
            behind.countDown();
            assertEquals(1, stored.get(25, TimeUnit.SECONDS).count(Status.TIMED_OUT));
            gate.countDown();
            assertEquals(1, looked.get(25, TimeUnit.SECONDS).count(Status.MISSING));
            EVENTUALLY.until(backend.staged::isEmpty);
            assertTrue(backend.objects.isEmpty());
        }
    }

    @Test
    void aFailedBatchIsAnsweredInTimeAlthoughNoWorkerIsFreeToDiscardIt() {
        backend.before(batch -> {
            if (batch.op() == Op.READ) {
                assertTrue(wait(gate));
            }
        });
        backend.fail(Op.STAGE, "o1");
        AtomicBoolean staged = new AtomicBoolean();
        try (DynamicStore store = Stores.open(backend, 1);
                ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
            backend.after(batch -> {
                if (batch.op() == Op.STAGE && staged.compareAndSet(false, true)) {
                    // the only worker and its replacement
                    for (int i = 0; i < 2; i++) {
                        store.loadAsync(
                                List.of(new KvObject(new RawKey("r" + i), lease.slice(500, 10))), CallOptions.DEFAULT);
                    }
                }
            });
            long start = System.nanoTime();
            BatchResult answer = store.store(
                    Stores.objects(lease, 2, 100),
                    CallOptions.DEFAULT.with(Duration.ofMillis(300)).with(Atomicity.ALL_OR_NOTHING));
            assertEquals(0, answer.okCount());
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(3).toNanos(), "answered long after its deadline");
            gate.countDown();
            EVENTUALLY.until(backend.staged::isEmpty);
            assertTrue(backend.objects.isEmpty());
        }
    }
}
