package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.PoolHits;
import io.nixlkv.api.hicache.PoolQuery;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.PoolTransfer;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Side pools: their names, their own pages under the same hashes, and what a prefix needs of them. */
class HiCacheSidePoolsIT {
    @TempDir
    Path directory;

    private static StridedPool copied(int pages, int bytes) {
        return new StridedPool(
                "layer_first",
                pages,
                List.of(new StridedPool.Run(ByteBuffer.allocate(pages * bytes), 0, bytes, bytes)));
    }

    @Test
    void partsHaveSglangsNames() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool mamba = ArenaPool.lease(rig.store.arena(), "state", 1, 100, 50, 60);
                ArenaPool swa = ArenaPool.lease(rig.store.arena(), "state", 1, 100, 50);
                ArenaPool indexer = ArenaPool.lease(rig.store.arena(), "state", 1, 100);
                ArenaPool mine = ArenaPool.lease(rig.store.arena(), "state", 1, 10, 20, 30)) {
            assertTrue(rig.view.registerSidePool("mamba", mamba).zeroCopy(), "whatever the layout's name");
            rig.view.registerSidePool("swa", swa);
            rig.view.registerSidePool("indexer", indexer);
            rig.view.registerSidePool("my_pool", mine);
            assertFalse(rig.view.registerSidePool("draft", copied(1, 10)).zeroCopy());
            List<String> one = HiCacheRig.hashes(1);
            Map<String, BatchResult> stored = rig.view.batchSetV2(List.of(
                    new PoolTransfer("mamba", one, 0),
                    new PoolTransfer("swa", one, 0),
                    new PoolTransfer("indexer", one, 0),
                    new PoolTransfer("my_pool", one, 0),
                    new PoolTransfer("draft", one, 0)));
            assertTrue(stored.values().stream().allMatch(result -> result.size() == 1 && result.allOk()));
            assertEquals(List.of("mamba", "swa", "indexer", "my_pool", "draft"), List.copyOf(stored.keySet()));
            String start = one.get(0) + "_org-model_0_1_";
            assertEquals(
                    List.of(
                            start + "draft",
                            start + "indexer",
                            start + "mamba_conv_0",
                            start + "mamba_conv_1",
                            start + "mamba_temporal",
                            start + "my_pool_0",
                            start + "my_pool_1",
                            start + "my_pool_2",
                            start + "swa_k",
                            start + "swa_v"),
                    rig.names());
        }
    }

    @Test
    void poolsKeepTheSameHashApartInBatchesOver128Pages() {
        int pages = 220;
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool swa = ArenaPool.lease(rig.store.arena(), "state", pages, 64, 64)) {
            StridedPool c128 = copied(pages, 128);
            rig.view.registerSidePool("swa", swa);
            rig.view.registerSidePool("deepseek_v4_c128", c128);
            for (int page = 0; page < pages; page++) {
                HiCacheRig.fill(swa, page, page);
                HiCacheRig.fill(c128, page, page + 1000);
            }
            List<String> hashes = HiCacheRig.hashes(pages);
            List<PoolTransfer> transfers = List.of(
                    new PoolTransfer("swa", hashes, HiCacheRig.pages(pages)),
                    new PoolTransfer("deepseek_v4_c128", hashes, HiCacheRig.pages(pages)));
            assertTrue(rig.view.batchSetV2(transfers).values().stream().allMatch(BatchResult::allOk));
            HiCacheRig.wipe(swa);
            HiCacheRig.wipe(c128);
            Map<String, BatchResult> loaded = rig.view.batchGetV2(transfers);
            assertEquals(pages, loaded.get("swa").okCount());
            assertEquals(pages, loaded.get("deepseek_v4_c128").okCount());
            for (int page = 0; page < pages; page++) {
                assertTrue(HiCacheRig.holds(swa, page, page));
                assertTrue(HiCacheRig.holds(c128, page, page + 1000));
            }
        }
    }

    @Test
    void aPrefixEndsWhereItsPoolsEnd() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool kv = rig.pool(6, 100);
                ArenaPool indexer = ArenaPool.lease(rig.store.arena(), "state", 6, 10);
                ArenaPool swa = ArenaPool.lease(rig.store.arena(), "state", 6, 10)) {
            rig.view.register(kv);
            PoolRegistration registered = rig.view.registerSidePool("indexer", indexer);
            rig.view.registerSidePool("swa", swa);
            List<String> hashes = HiCacheRig.hashes(6);
            assertTrue(rig.view.batchSetV1(hashes, HiCacheRig.pages(6)).allOk());
            rig.view.batchSetV2(List.of(
                    new PoolTransfer("indexer", hashes.subList(0, 5), 0, 1, 2, 3, 4),
                    new PoolTransfer("swa", List.of(hashes.get(1), hashes.get(2), hashes.get(5)), 1, 2, 5)));

            List<PoolQuery> all = List.of(PoolQuery.allPages("indexer"));
            assertEquals(new PoolHits(5, 6, Map.of("indexer", 5)), rig.view.batchExistsV2(hashes, all));
            assertEquals(
                    new PoolHits(6, 6, Map.of("swa", 6)),
                    rig.view.batchExistsV2(hashes, List.of(PoolQuery.trailingPages("swa", 1))));
            assertEquals(
                    new PoolHits(3, 6, Map.of("swa", 3)),
                    rig.view.batchExistsV2(hashes, List.of(PoolQuery.trailingPages("swa", 2))));
            assertEquals(
                    new PoolHits(3, 6, Map.of("indexer", 5, "swa", 3)),
                    rig.view.batchExistsV2(hashes, List.of(all.get(0), PoolQuery.trailingPages("swa", 2))));
            assertEquals(
                    new PoolHits(0, 6, Map.of("mamba", 0)),
                    rig.view.batchExistsV2(hashes, List.of(PoolQuery.allPages("mamba"))),
                    "a pool that is not registered has no pages");

            Files.delete(rig.file(new PageKey(hashes.get(0), "org/mla", 0, 0, "k")));
            assertEquals(new PoolHits(0, 0, Map.of("indexer", 0)), rig.view.batchExistsV2(hashes, all));
            registered.close();
            assertEquals(
                    Status.UNAVAILABLE,
                    rig.view
                            .batchGetV2(List.of(new PoolTransfer("indexer", hashes.subList(0, 1), 0)))
                            .get("indexer")
                            .get(0)
                            .status());
        }
    }

    @Test
    void wrongPoolsAreRefused() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            assertThrows(StorageException.class, () -> rig.view.registerSidePool("No Pool", copied(1, 10)));
            rig.view.registerSidePool("swa", copied(1, 10));
            assertThrows(StorageException.class, () -> rig.view.registerSidePool("swa", copied(1, 10)));
            PoolTransfer one = new PoolTransfer("swa", HiCacheRig.hashes(1), 0);
            assertThrows(StorageException.class, () -> rig.view.batchSetV2(List.of(one, one)));
        }
    }
}
