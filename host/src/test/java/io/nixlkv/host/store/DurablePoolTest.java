package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.pool.LoopDisk;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A static pool whose records must be on stable storage before a store is answered. */
class DurablePoolTest {
    private static final int SLOT = 100;
    private static final int PATIENCE = 10;
    private static final CallOptions REPLACE = CallOptions.DEFAULT.with(Mode.REPLACE);

    @TempDir
    Path work;

    private final ScriptedBackend backend = new ScriptedBackend();

    private StaticPoolStore open(Path state) {
        StoreSpec spec = Stores.spec(ScriptedBackend.offer(100), 2, false, LengthRule.EXACT);
        StoreSpec durable = new StoreSpec(
                spec.strategy(),
                spec.place(),
                spec.engine(),
                spec.layout(),
                spec.lengths(),
                spec.workers(),
                spec.arenaAlignment(),
                spec.deadline(),
                spec.mode(),
                spec.atomicity(),
                true,
                false,
                0,
                spec.facts());
        return new StaticPoolStore(
                durable, new PoolSettings(10, SLOT, false, state), backend, new DirectArena(Stores.ARENA));
    }

    private static KvObject object(ArenaLease lease, int number) {
        return new KvObject(new RawKey("a" + number), lease.slice(number * SLOT, SLOT));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void callbacksMayStoreAndWaitForIt() throws Exception {
        StaticPoolStore store = open(work);
        ArenaLease lease = store.arena().lease(2 * SLOT, Duration.ZERO);
        CyclicBarrier both = new CyclicBarrier(2);
        List<CompletableFuture<ObjectResult>> nested = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            RawKey second = new RawKey("b" + i);
            nested.add(store.storeAsync(List.of(object(lease, i)), REPLACE).thenApply(first -> {
                try {
                    both.await(PATIENCE, TimeUnit.SECONDS);
                } catch (Exception alone) {
                    throw new IllegalStateException(alone);
                }
                return store.store(second, ByteBuffer.allocate(50), REPLACE);
            }));
        }
        for (CompletableFuture<ObjectResult> each : nested) {
            assertEquals(Status.DONE, each.get(PATIENCE, TimeUnit.SECONDS).status());
        }
        lease.close();
        store.close();
    }

    @Test
    void whatIsWrittenWhileItClosesIsAnswered() throws Exception {
        StaticPoolStore store = open(work);
        ArenaLease lease = store.arena().lease(2 * SLOT, Duration.ZERO);
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(2);
        CountDownLatch slow = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(3);
        backend.before(batch -> await(start));
        backend.after(batch -> written.countDown());
        for (int i = 0; i < 2; i++) {
            store.storeAsync(List.of(object(lease, i)), REPLACE).thenAccept(result -> {
                busy.countDown();
                await(slow);
            });
        }
        start.countDown();
        await(busy);
        CompletableFuture<ObjectResult> answer =
                CompletableFuture.supplyAsync(() -> store.store(new RawKey("b"), ByteBuffer.allocate(50), REPLACE));
        await(written);
        store.close();
        assertEquals(Status.DONE, answer.get(PATIENCE, TimeUnit.SECONDS).status());
        slow.countDown();
        lease.close();
    }

    @Test
    void aStateDirectoryThatFailsFailsTheObjectsAndGivesTheirSlotsBack() throws Exception {
        try (LoopDisk disk = LoopDisk.make(work)) {
            StaticPoolStore store = open(disk.folder().resolve("state"));
            assertEquals(
                    Status.DONE,
                    store.store(new RawKey("a"), ByteBuffer.allocate(50), REPLACE)
                            .status());
            touch(store);
            backend.before(batch -> disk.fail());
            failed(store, "b");
            assertEquals(2, store.status().details().get("slots_used"), "there, but not for sure after a crash");
            backend.before(batch -> {
                throw new AssertionError("the claim is not on stable storage: nothing may be written");
            });
            failed(store, "c");
            assertEquals(2, store.status().details().get("slots_used"), "the claimed slot is free again");
            touch(store);
        }
    }

    /** Makes the page of the records dirty, so that it can still be changed when its file system has become read-only. */
    private static void touch(StaticPoolStore store) {
        BatchResult found = store.lookup(List.of(new RawKey("a")), CallOptions.DEFAULT);
        assertEquals(Status.DONE, found.get(0).status());
    }

    private static void failed(StaticPoolStore store, String key) throws Exception {
        ObjectResult failed = CompletableFuture.supplyAsync(
                        () -> store.store(new RawKey(key), ByteBuffer.allocate(50), REPLACE))
                .get(PATIENCE, TimeUnit.SECONDS);
        assertEquals(Status.FAILED, failed.status());
        assertTrue(failed.reason().contains("could not be written"), failed.reason());
    }
}
