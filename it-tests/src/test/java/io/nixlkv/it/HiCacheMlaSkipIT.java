package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.PoolTransfer;
import io.nixlkv.api.hicache.TypedBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of an MLA model share their pages: rank 0 writes them, the others say ok and write nothing. */
class HiCacheMlaSkipIT {
    private static final HiCacheIdentity RANK_0 = new HiCacheIdentity("org/mla", 0, 2, true);
    private static final HiCacheIdentity RANK_1 = new HiCacheIdentity("org/mla", 1, 2, true);
    private static final List<String> HASHES = HiCacheRig.hashes(2);

    @TempDir
    Path directory;

    @Test
    void rankOneWritesNothingAndReadsWhatRankZeroWrote() {
        try (HiCacheRig writer = new HiCacheRig(directory, RANK_0);
                HiCacheRig reader = new HiCacheRig(directory, RANK_1);
                ArenaPool theirs = writer.pool(2, 4096);
                ArenaPool ours = reader.pool(2, 4096)) {
            BatchResult early = reader.view.batchSetV1(HASHES, 0, 1);
            assertTrue(early.allOk() && early.size() == 2, "also before a pool is registered");
            assertTrue(early.get(0).reason().contains("rank 1"), early.get(0).reason());
            reader.view.register(ours);
            writer.view.register(theirs);
            assertTrue(reader.view.batchSetV1(HASHES, 0, 1).allOk());
            TypedBuffer tensor = TypedBuffer.zeros(ElementType.INT8, 8);
            assertTrue(reader.view.set(HASHES.get(0), tensor).ok());
            assertTrue(reader.view.batchSet(HASHES, List.of(tensor, tensor)).allOk());
            assertEquals(List.of(), reader.files());
            assertEquals(0, reader.view.batchExists(HASHES));

            HiCacheRig.fill(theirs);
            assertTrue(writer.view.batchSetV1(HASHES, 0, 1).allOk());
            assertEquals(2, reader.view.batchExists(HASHES));
            assertTrue(reader.view.batchGetV1(HASHES, 0, 1).allOk());
            assertTrue(HiCacheRig.holds(ours));
            assertEquals(
                    HASHES.stream().map(hash -> hash + "_org-mla_k").sorted().toList(), reader.names());
        }
    }

    @Test
    void stateThatDiffersBetweenRanksIsWrittenByEach() {
        for (HiCacheIdentity rank : List.of(RANK_0, RANK_1)) {
            try (HiCacheRig rig = new HiCacheRig(directory, rank);
                    ArenaPool indexer = ArenaPool.lease(rig.store.arena(), "page_first", 1, 64);
                    ArenaPool mamba = ArenaPool.lease(rig.store.arena(), "page_first", 1, 64, 32)) {
                rig.view.registerSidePool("indexer", indexer);
                rig.view.registerSidePool("mamba", mamba);
                List<String> one = HASHES.subList(0, 1);
                assertTrue(rig
                        .view
                        .batchSetV2(List.of(new PoolTransfer("indexer", one, 0), new PoolTransfer("mamba", one, 0)))
                        .values()
                        .stream()
                        .allMatch(BatchResult::allOk));
            }
        }
        String start = HASHES.get(0) + "_org-mla_";
        try (HiCacheRig rig = new HiCacheRig(directory, RANK_0)) {
            assertEquals(
                    List.of(
                            start + "0_2_mamba_conv_0",
                            start + "0_2_mamba_temporal",
                            start + "1_2_mamba_conv_0",
                            start + "1_2_mamba_temporal",
                            start + "indexer"),
                    rig.names());
        }
    }

    @Test
    void ranksOfOtherModelsAllWrite() {
        try (HiCacheRig rig = new HiCacheRig(directory, new HiCacheIdentity("org/model", 1, 2, false));
                ArenaPool pool = rig.pool(1, 4096)) {
            rig.view.register(pool);
            assertTrue(rig.view.batchSetV1(HASHES.subList(0, 1), 0).allOk());
            assertEquals(List.of(HASHES.get(0) + "_org-model_1_2_k", HASHES.get(0) + "_org-model_1_2_v"), rig.names());
        }
    }
}
