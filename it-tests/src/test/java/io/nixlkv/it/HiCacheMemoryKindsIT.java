package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ArenaPool.Part;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registration tells kinds of memory apart: in the arena, elsewhere in the process, on a device. */
class HiCacheMemoryKindsIT {
    private static final List<String> HASHES = HiCacheRig.hashes(3);

    @TempDir
    Path directory;

    @Test
    void pageFirstInTheArenaIsTransferredWhereItIs() {
        for (String layout : List.of("page_first", "page_first_direct")) {
            try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                    ArenaPool pool = ArenaPool.lease(rig.store.arena(), layout, 3, 512, 512);
                    PoolRegistration registration = rig.view.register(pool)) {
                assertTrue(registration.zeroCopy());
                assertEquals(0, registration.bouncePages());
                roundTrip(rig.view, pool);
                assertTrue(rig.names().get(0).endsWith("_k"));
            }
        }
    }

    @Test
    void otherLayoutsAreCopiedFromAnyMemory() throws IOException {
        Path file = Files.createTempFile(directory.getParent(), "pool", ".mapped");
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                ArenaLease leased = rig.store.arena().lease(6000, Duration.ZERO)) {
            for (ByteBuffer memory : List.of(
                    ByteBuffer.allocate(6000),
                    ByteBuffer.allocateDirect(6000),
                    channel.map(MapMode.READ_WRITE, 0, 6000),
                    leased.buffer())) {
                StridedPool pool = StridedPool.layerFirst(memory, false, 2, 3, 500);
                try (PoolRegistration registration = rig.view.register(pool)) {
                    assertFalse(registration.zeroCopy());
                    roundTrip(rig.view, pool);
                }
            }
            assertEquals(
                    HASHES.stream()
                            .map(hash -> hash + "_org-model_0_1")
                            .sorted()
                            .toList(),
                    rig.names());
        } finally {
            Files.delete(file);
        }
    }

    private static void roundTrip(HiCache view, HostPool pool) {
        HiCacheRig.fill(pool);
        assertTrue(view.batchSetV1(HASHES, 0, 1, 2).allOk());
        HiCacheRig.wipe(pool);
        assertEquals(3, view.batchExists(HASHES));
        assertTrue(view.batchGetV1(HASHES, 0, 1, 2).allOk());
        assertTrue(HiCacheRig.holds(pool));
    }

    @Test
    void layerFirstIsSglangsFlatPage() {
        // element (kv, layer, page) of a buffer (2, 2 layers, 3 pages) of one byte
        StridedPool pool = StridedPool.layerFirst(
                ByteBuffer.wrap(new byte[] {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32}), false, 2, 3, 1);
        ByteBuffer flat = ByteBuffer.allocate(4);
        pool.copyOut(1, flat);
        assertEquals(ByteBuffer.wrap(new byte[] {1, 11, 21, 31}), flat.flip());
    }

    @Test
    void whatCannotBeTakenIsRefusedWithTheWayOut() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool right = rig.pool(2, 4096);
                ArenaPool onePart = ArenaPool.lease(rig.store.arena(), "page_first", 2, 4096)) {
            StridedPool elsewhere = new StridedPool(
                    "page_first", 1, List.of(new StridedPool.Run(ByteBuffer.allocateDirect(100), 0, 100, 100)));
            assertRefused(Status.INVALID, "ArenaPool.lease", rig, elsewhere);
            assertRefused(Status.INVALID, "2 parts, K and V", rig, onePart);
            assertRefused(Status.UNSUPPORTED, "cuda", rig, new DevicePool(elsewhere));
            PoolRegistration first = rig.view.register(right);
            assertRefused(Status.INVALID, "registered already", rig, right);
            first.close();
            first.close();
            rig.view.register(right).close();
        }
    }

    private static void assertRefused(Status status, String why, HiCacheRig rig, HostPool pool) {
        StorageException refused = assertThrows(StorageException.class, () -> rig.view.register(pool));
        assertEquals(status, refused.status());
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }

    private record DevicePool(StridedPool inner) implements HostPool {
        @Override
        public String layout() {
            return "layer_first";
        }

        @Override
        public String deviceType() {
            return "cuda:0";
        }

        @Override
        public int pages() {
            return inner.pages();
        }

        @Override
        public int pageBytes() {
            return inner.pageBytes();
        }

        @Override
        public void copyOut(int page, ByteBuffer flat) {
            inner.copyOut(page, flat);
        }

        @Override
        public void copyIn(int page, ByteBuffer flat) {
            inner.copyIn(page, flat);
        }
    }

    /** The engine's pool is a segment of the arena, in front of memory for everything else. */
    @Test
    void memoryThatTheApplicationOwnsIsTransferredWhereItIs() {
        int stride = 8192;
        ByteBuffer engine =
                ByteBuffer.allocateDirect(6 * stride + 4096).alignedSlice(4096).slice(0, 6 * stride);
        DirectArena others = new DirectArena(1 << 20);
        MemoryArena arena = new MemoryArena() {
            @Override
            public int segments() {
                return 2;
            }

            @Override
            public ByteBuffer segment(int index) {
                return index == 0 ? engine : others.segment(0);
            }

            @Override
            public long address(int segment) {
                return 0;
            }
        };
        try (PackedHost host = new PackedHost();
                KvStore store = host.host()
                        .open(
                                PackedHost.config(directory.toString(), true, "layout = \"hicache\"\nnum_workers = 1"),
                                arena);
                ArenaLease pool = store.arena().lease(new KvSlice(0, 0, 6 * stride));
                HiCache view = HiCacheView.over(store, HiCacheRig.MHA, HiCacheOptions.DEFAULT)) {
            Part k = new Part(pool.slice(0, 3 * stride), stride, 5000);
            Part v = new Part(pool.slice(3 * stride, 3 * stride), stride, 5000);
            ArenaPool pages = ArenaPool.over(store.arena(), "page_first", 3, List.of(k, v));
            assertTrue(view.register(pages).zeroCopy(), "base and stride are multiples of 4096");
            engine.put(5 * stride + 4999, (byte) 77);
            assertTrue(view.batchSetV1(HASHES, 0, 1, 2).allOk());
            engine.put(5 * stride + 4999, (byte) 0);
            assertTrue(view.batchGetV1(HASHES, 0, 1, 2).allOk());
            assertEquals(77, engine.get(5 * stride + 4999), "the last byte of the last V");

            assertEquals(1, store.arena().lease(4096, Duration.ZERO).slice().segment(), "nobody else gets the pool");
            StorageException lent =
                    assertThrows(StorageException.class, () -> store.arena().lease(new KvSlice(0, 4096, 1)));
            assertEquals(Status.NO_SPACE, lent.status());
            assertThrows(StorageException.class, () -> store.arena().lease(new KvSlice(1, 100, 1)), "not aligned");
            assertThrows(StorageException.class, () -> store.arena().lease(new KvSlice(1, 0, 2 << 20)), "outside");
        }
    }

    @Test
    void aPoolMayLieInSeveralPieces() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaLease middle = rig.store.arena().lease(new KvSlice(0, 32 << 20, 4096));
                ArenaPool pool = rig.pool(40, 1 << 20)) {
            assertEquals(new KvSlice(0, 19 << 20, 1 << 20), pool.slice(19, 0));
            assertEquals(
                    new KvSlice(0, (32 << 20) + 4096, 1 << 20), pool.slice(20, 0), "behind the lease in the middle");
            rig.view.register(pool);
            int[] pages = {0, 19, 20, 39};
            for (int page : pages) {
                HiCacheRig.fill(pool, page, page);
            }
            assertTrue(rig.view.batchSetV1(HiCacheRig.hashes(4), pages).allOk());
            HiCacheRig.wipe(pool);
            assertTrue(rig.view.batchGetV1(HiCacheRig.hashes(4), pages).allOk());
            for (int page : pages) {
                assertTrue(HiCacheRig.holds(pool, page, page));
            }
            assertEquals(4096, middle.slice().length());
            assertThrows(StorageException.class, () -> rig.pool(40, 1 << 20), "no room for another");
            assertThrows(IllegalArgumentException.class, () -> rig.pool(0, 1));
        }
    }

    @Test
    void anEnginesPointersAreSlices() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            KvArena arena = rig.store.arena();
            StorageException refused = assertThrows(StorageException.class, () -> arena.slice(16, 4096));
            assertTrue(List.of(Status.INVALID, Status.UNSUPPORTED).contains(refused.status()));
        }
    }

    @Test
    void unalignedPagesUnderDirectIoAreCopied() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, true);
                ArenaLease memory = rig.store.arena().lease(6 * 5000, Duration.ZERO)) {
            Part k = new Part(memory.slice(0, 3 * 5000), 5000, 5000);
            Part v = new Part(memory.slice(3 * 5000, 3 * 5000), 5000, 5000);
            ArenaPool pool = ArenaPool.over(rig.store.arena(), "page_first", 3, List.of(k, v));
            try (PoolRegistration registration = rig.view.register(pool)) {
                assertFalse(registration.zeroCopy());
                roundTrip(rig.view, pool);
                assertEquals(
                        HASHES.stream()
                                .map(hash -> hash + "_org-model_0_1")
                                .sorted()
                                .toList(),
                        rig.names());
            }
        }
    }
}
