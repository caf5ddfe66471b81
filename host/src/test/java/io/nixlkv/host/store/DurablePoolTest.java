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
import io.nixlkv.plugin.support.testing.Mounts;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
        return open(ScriptedBackend.offer(100), true, backend, new PoolSettings(10, SLOT, false, state));
    }

    private static StaticPoolStore open(
            EngineOffer engine, boolean durable, ScriptedBackend slots, PoolSettings settings) {
        StoreSpec spec = Stores.spec(engine, 2, false, LengthRule.EXACT);
        StoreSpec wanted = new StoreSpec(
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
                durable,
                false,
                0,
                spec.facts());
        return new StaticPoolStore(wanted, settings, slots, new DirectArena(Stores.ARENA));
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

    /** Slots in a store outlive a power cut of this machine, so even without {@code sync} its index must not fall behind them. */
    @Test
    void afterAPowerCutNoKeyOfAStoreNamesAnothersSlot() throws Exception {
        EngineOffer files = ScriptedBackend.offer(100);
        EngineOffer objects = EngineOffer.usable("memory", Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG), files.can());
        try (LoopDisk disk = LoopDisk.make(work)) {
            Path state = disk.folder().resolve("state");
            try (StaticPoolStore store = open(objects, false, backend, new PoolSettings(1, SLOT, true, state))) {
                store.store(new RawKey("old"), ByteBuffer.wrap(new byte[] {1}), REPLACE);
                assertTrue(Mounts.succeeds(List.of("sync", "-f", state.toString())));
                assertTrue(store.store(new RawKey("new"), ByteBuffer.wrap(new byte[] {2}), REPLACE)
                        .ok());
                try (LoopDisk after = disk.afterPowerCut()) {
                    Path left = after.folder().resolve("state");
                    letGo(left);
                    StaticPoolStore again =
                            open(objects, false, backend.again(), new PoolSettings(1, SLOT, true, left));
                    BatchResult found = again.lookup(List.of(new RawKey("old"), new RawKey("new")), REPLACE);
                    assertEquals(Status.MISSING, found.get(0).status());
                    assertEquals(Status.DONE, found.get(1).status());
                    again.close();
                }
            }
        }
    }

    /** The claim of a process that the power cut ended: of this one, here. */
    private static void letGo(Path folder) throws IOException {
        try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder, "*.claim")) {
            for (Path claim : claims) {
                Files.delete(claim);
            }
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
