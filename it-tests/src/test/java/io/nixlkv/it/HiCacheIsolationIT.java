package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks, models and threads that share a directory or a view do not see or harm each other's pages. */
@Timeout(60)
class HiCacheIsolationIT {
    private static final List<String> HASH = HiCacheRig.hashes(1);

    @TempDir
    Path directory;

    private static StridedPool copied(int pages, int bytes) {
        return new StridedPool(
                "layer_first",
                pages,
                List.of(new StridedPool.Run(ByteBuffer.allocate(pages * bytes), 0, bytes, bytes)));
    }

    @Test
    void ranksSizesAndModelsHaveTheirOwnPages() {
        List<HiCacheIdentity> identities = List.of(
                new HiCacheIdentity("org/model", 0, 2, false),
                new HiCacheIdentity("org/model", 1, 2, false),
                new HiCacheIdentity("org/model", 0, 4, false),
                new HiCacheIdentity("org/other", 0, 2, false),
                new HiCacheIdentity("org/model", 0, 2, true));
        List<HiCacheRig> rigs = new ArrayList<>();
        List<ArenaPool> pools = new ArrayList<>();
        try {
            for (HiCacheIdentity identity : identities) {
                HiCacheRig rig = new HiCacheRig(directory, identity);
                rigs.add(rig);
                pools.add(rig.pool(1, 512));
                rig.view.register(pools.get(pools.size() - 1));
                HiCacheRig.fill(pools.get(pools.size() - 1), 0, pools.size());
                assertEquals(0, rig.view.batchExists(HASH));
                assertTrue(rig.view.batchSetV1(HASH, 0).allOk());
            }
            for (int i = 0; i < rigs.size(); i++) {
                HiCacheRig.wipe(pools.get(i));
                assertTrue(rigs.get(i).view.batchGetV1(HASH, 0).allOk());
                assertTrue(HiCacheRig.holds(pools.get(i), 0, i + 1), identities.get(i)::toString);
            }
        } finally {
            rigs.forEach(HiCacheRig::close);
        }
    }

    @Test
    void aStoreOfOneModelRefusesAnother() {
        try (HiCacheRig rig = new HiCacheRig(
                directory, HiCacheIdentity.of("org/other"), false, HiCacheOptions.DEFAULT, "model = \"org/model\"")) {
            TypedBuffer value = TypedBuffer.zeros(ElementType.INT8, 1);
            StorageException refused = assertThrows(StorageException.class, () -> rig.view.set(HASH.get(0), value));
            assertEquals(Status.INVALID, refused.status());
            assertTrue(refused.getMessage().contains("this store is for model org/model"), refused.getMessage());
        }
    }

    /** One thread reads eight pages over and over, one writes new ones. */
    @ParameterizedTest
    @ValueSource(strings = {"zero copy", "copies", "zero copy, direct", "copies, direct"})
    void readersAndWritersAtOnce(String kind) {
        boolean zeroCopy = kind.startsWith("zero");
        HiCacheOptions options = HiCacheOptions.DEFAULT.withBouncePages(2);
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, kind.endsWith("direct"), options, "")) {
            HostPool pool = zeroCopy ? rig.pool(24, 4096) : copied(24, 8192);
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            List<String> preset = HiCacheRig.hashes(8);
            assertTrue(rig.view.batchSetV1(preset, HiCacheRig.pages(8)).allOk());
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> writer = HiCacheRig.start(() -> {
                int next = 8;
                while (!stop.get()) {
                    List<String> fresh = List.of(HiCacheRig.hash(next), HiCacheRig.hash(next + 1));
                    assertTrue(rig.view.batchSetV1(fresh, 16, 17).allOk());
                    next += 2;
                }
                return next;
            });
            int[] targets = {8, 9, 10, 11, 12, 13, 14, 15};
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < end) {
                for (int page : targets) {
                    pool.copyIn(page, ByteBuffer.allocate(pool.pageBytes()));
                }
                BatchResult loaded = rig.view.batchGetV1(preset, targets);
                assertTrue(loaded.allOk(), loaded::toString);
                for (int i = 0; i < 8; i++) {
                    assertTrue(HiCacheRig.holds(pool, 8 + i, i));
                }
            }
            stop.set(true);
            assertEquals(writer.join(), rig.view.batchExists(HiCacheRig.hashes(writer.join() + 1)));
        }
    }

    /** Two hosts put one page at once, again and again: what is there is one of the two, whole, and it loads. */
    @Test
    void twoWritersOfOnePageLeaveOneOfTheTwo() {
        int bytes = 256 << 10;
        try (HiCacheRig one = new HiCacheRig(directory, HiCacheRig.MHA);
                HiCacheRig two = new HiCacheRig(directory, HiCacheRig.MHA)) {
            for (int round = 0; round < 60; round++) {
                String hash = HiCacheRig.hash(round % 3);
                CompletableFuture<Boolean> first = HiCacheRig.start(() -> set(one, hash, (byte) 0x11, bytes));
                assertTrue(set(two, hash, (byte) 0x22, bytes) && first.join());
                byte[] back = new byte[bytes];
                assertTrue(one.view.exists(hash));
                assertTrue(one.view
                        .get(hash, TypedBuffer.of(ElementType.INT8, ByteBuffer.wrap(back), bytes))
                        .ok());
                byte[] whole = new byte[bytes];
                Arrays.fill(whole, back[0]);
                assertTrue((back[0] == 0x11 || back[0] == 0x22) && Arrays.equals(whole, back));
            }
        }
    }

    private static boolean set(HiCacheRig rig, String hash, byte fill, int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, fill);
        return rig.view
                .set(hash, TypedBuffer.of(ElementType.INT8, ByteBuffer.wrap(value), bytes))
                .ok();
    }

    /** An interrupt is neither lost nor does it harm anybody's transfer. */
    @Test
    void interruptedCallersHarmNobody() throws InterruptedException {
        HiCacheOptions options = HiCacheOptions.DEFAULT.withBouncePages(2);
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, false, options, "")) {
            StridedPool pool = copied(4, 1024);
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            List<String> hashes = HiCacheRig.hashes(4);
            assertTrue(rig.view.batchSetV1(hashes, 0, 1, 2, 3).allOk());
            AtomicBoolean stop = new AtomicBoolean();
            List<Throwable> failures = new CopyOnWriteArrayList<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread reader = new Thread(() -> {
                    try {
                        while (!stop.get()) {
                            assertTrue(rig.view.batchGetV1(hashes, 0, 1, 2, 3).allOk());
                            Thread.interrupted();
                        }
                    } catch (Throwable failed) {
                        failures.add(failed);
                    }
                });
                reader.start();
                readers.add(reader);
            }
            for (int i = 0; i < 50; i++) {
                readers.get(0).interrupt();
                TimeUnit.MILLISECONDS.sleep(5);
            }
            stop.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertEquals(List.of(), failures);
            Thread.currentThread().interrupt();
            assertTrue(rig.view.batchSetV1(hashes, 0, 1, 2, 3).allOk());
            assertTrue(Thread.interrupted(), "the caller's interrupt stays pending");
        }
    }

    /** Close while pages are moving: calls end, with results or a clear refusal, and afterwards every call is refused. */
    @Test
    void closingAViewUnderLoad() {
        for (int round = 0; round < 8; round++) {
            HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
            StridedPool pool = copied(16, 64 << 10);
            rig.view.register(pool);
            CompletableFuture<Status> writer = HiCacheRig.start(() -> {
                try {
                    while (true) {
                        BatchResult result = rig.view.batchSetV1(HiCacheRig.hashes(16), HiCacheRig.pages(16));
                        assertEquals(16, result.size());
                    }
                } catch (StorageException closed) {
                    return closed.status();
                }
            });
            while (rig.view.batchExists(HASH) == 0) {
                Thread.onSpinWait();
            }
            rig.close();
            assertEquals(Status.UNAVAILABLE, writer.join());
            assertThrows(StorageException.class, () -> rig.view.batchGetV1(HASH, 0));
        }
    }
}
