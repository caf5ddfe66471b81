package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.KvObject;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.hicache.HostRegistration;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.host.hicache.StorageRegistration;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The descriptors of a transfer: which object goes from or into which memory. */
class HiCacheDescriptorsIT {
    @TempDir
    Path directory;

    private static StorageRegistration storage(HostRegistration host, Direction direction, int... pages) {
        List<String> hashes = HiCacheRig.hashes(pages.length);
        return host.storage(direction, hashes, pages, 0, pages.length, System.nanoTime())
                .orElseThrow();
    }

    @Test
    void zeroCopyNamesKAndVInThePoolsOwnMemory() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(8, 5000)) {
            HostRegistration host = (HostRegistration) rig.view.register(pool);
            try (StorageRegistration storage = storage(host, Direction.LOAD, 7, 0)) {
                assertEquals(
                        List.of(
                                new KvObject(key(0, "_k"), pool.slice(7, 0)),
                                new KvObject(key(0, "_v"), pool.slice(7, 1)),
                                new KvObject(key(1, "_k"), pool.slice(0, 0)),
                                new KvObject(key(1, "_v"), pool.slice(0, 1))),
                        storage.objects().stream()
                                .map(object ->
                                        new KvObject(rig.store.key(object.key().text()), object.slice()))
                                .toList());
                assertEquals(5000, storage.objects().get(3).slice().length());
                assertEquals(
                        7 * 8192,
                        pool.slice(7, 1).offset() - pool.slice(0, 1).offset(),
                        "a leased pool's stride is a multiple of 4096");
            }
        }
    }

    private static PageKey key(int page, String part) {
        return PageKey.parse(HiCacheRig.hash(page) + "_org-model_0_1" + part);
    }

    @Test
    void copyModeNamesWholePagesInBounceMemory() {
        HiCacheOptions options = HiCacheOptions.DEFAULT.withBouncePages(3);
        try (HiCacheRig rig =
                new HiCacheRig(directory, HiCacheRig.MHA, true, options, "arena_align_bytes = 512\nnum_workers = 1")) {
            rig.store.arena().lease(512, Duration.ZERO); // so that the next lease is not page-aligned
            StridedPool pool = StridedPool.layerFirst(ByteBuffer.allocate(2 * 5 * 9 * 230), false, 5, 9, 230);
            HiCacheRig.fill(pool);
            HostRegistration host = (HostRegistration) rig.view.register(pool);
            assertEquals(3, host.bouncePages());
            try (StorageRegistration first = storage(host, Direction.STORE, 4, 8)) {
                assertEquals(2, first.pageCount());
                assertEquals(
                        List.of(HiCacheRig.hash(0) + "_org-model_0_1", HiCacheRig.hash(1) + "_org-model_0_1"),
                        first.objects().stream()
                                .map(object -> object.key().text())
                                .toList());
                for (KvObject object : first.objects()) {
                    assertEquals(0, object.slice().offset() % 4096);
                    assertEquals(2300, object.slice().length());
                }
                assertEquals(
                        ByteBuffer.wrap(HiCacheRig.content(8, 2300)),
                        rig.store.arena().buffer(first.objects().get(1).slice()));
                try (StorageRegistration second = storage(host, Direction.STORE, 0, 1, 2)) {
                    assertEquals(1, second.pageCount(), "as many as there is bounce memory for");
                }
                try (StorageRegistration other = storage(host, Direction.LOAD, 0, 1, 2)) {
                    assertEquals(3, other.pageCount(), "each direction has its own");
                }
            }
        }
    }

    @Test
    void addressesAreSlices() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool pool = rig.pool(2, 4096)) {
            assertTrue(pool.isAligned(4096));
            assertEquals(List.of(1, 4096, 4096), List.of(pool.parts(), pool.partBytes(0), pool.pageBytes()));
            assertEquals("page_first", pool.layout());
        }
    }
}
