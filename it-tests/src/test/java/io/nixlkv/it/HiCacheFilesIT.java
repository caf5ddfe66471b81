package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Basic file operations: where a page's files are, what is in them, and which of them count. */
class HiCacheFilesIT {
    /** A page hash, and where SGLang keeps the K of its first rank of eight: from golden vectors of its connector. */
    private static final String HASH = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";

    private static final String LLAMA = "meta-llama/Llama-3.1-8B-Instruct";

    @TempDir
    Path directory;

    @Test
    void filesLieWhereSglangLooks() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, new HiCacheIdentity(LLAMA, 0, 8, false));
                ArenaPool pool = rig.pool(1, 1000)) {
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            assertTrue(rig.view.batchSetV1(List.of(HASH), 0).allOk());
            Path k = directory.resolve("9a/" + HASH + "_meta-llama-Llama-3.1-8B-Instruct_0_8_k");
            Path v = directory.resolve("fa/" + HASH + "_meta-llama-Llama-3.1-8B-Instruct_0_8_v");
            assertEquals(List.of(k, v), rig.files());
            byte[] page = HiCacheRig.content(0, 2000);
            assertEquals(ByteBuffer.wrap(page, 0, 1000), ByteBuffer.wrap(Files.readAllBytes(k)));
            assertEquals(ByteBuffer.wrap(page, 1000, 1000), ByteBuffer.wrap(Files.readAllBytes(v)));
        }
    }

    @Test
    void onlyWholeFilesCount() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(4, 1000)) {
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            List<String> hashes = HiCacheRig.hashes(4);
            assertTrue(rig.view.batchSetV1(hashes, 0, 1, 2, 3).allOk());
            assertEquals(4, rig.view.batchExists(hashes));
            Path last = rig.file(new PageKey(hashes.get(3), "org/model", 0, 1, "v"));
            Path third = rig.file(new PageKey(hashes.get(2), "org/model", 0, 1, "k"));
            Path second = rig.file(new PageKey(hashes.get(1), "org/model", 0, 1, "k"));

            Files.write(last, new byte[999]);
            assertEquals(Status.WRONG_SIZE, rig.view.lookup(hashes).get(3).status(), "a truncated file");
            assertEquals(3, rig.view.batchExists(hashes));
            Files.write(third, new byte[0]);
            assertEquals(2, rig.view.batchExists(hashes), "what a failed write of another tool leaves");
            Files.delete(second);
            Files.createDirectory(second);
            assertEquals(1, rig.view.batchExists(hashes), "a directory");

            assertEquals(
                    List.of(true, false, false, false),
                    rig.view.batchGetV1(hashes, 0, 1, 2, 3).results().stream()
                            .map(result -> result.ok())
                            .toList());
            Files.delete(second);
            assertTrue(rig.view.batchSetV1(hashes, 0, 1, 2, 3).allOk(), "a later set repairs them");
            assertEquals(4, rig.view.batchExists(hashes));
        }
    }

    @Test
    void aRemovedBucketFolderIsMadeAgainAndDeletedPagesAreMisses() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA);
                ArenaPool pool = rig.pool(1, 100)) {
            rig.view.register(pool);
            String hash = HiCacheRig.hash(0);
            assertTrue(rig.view.batchSetV1(List.of(hash), 0).allOk());
            Path file = rig.files().get(0);
            Files.delete(file);
            Files.delete(file.getParent());
            assertFalse(rig.view.exists(hash));
            assertEquals(
                    Status.MISSING, rig.view.batchGetV1(List.of(hash), 0).get(0).status());
            assertTrue(rig.view.batchSetV1(List.of(hash), 0).allOk());
            assertTrue(rig.view.exists(hash));
            assertTrue(rig.store
                    .delete(rig.view.identity().objects(true).ofKv(hash), CallOptions.DEFAULT)
                    .allOk());
            assertFalse(rig.view.exists(hash));
        }
    }

    @Test
    void aRestartFindsThePages() {
        List<String> hashes = HiCacheRig.hashes(3);
        for (int run = 0; run < 2; run++) {
            try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                    ArenaPool pool = rig.pool(3, 4096)) {
                rig.view.register(pool);
                if (run == 0) {
                    HiCacheRig.fill(pool);
                    assertTrue(rig.view.batchSetV1(hashes, 0, 1, 2).allOk());
                } else {
                    assertEquals(3, rig.view.batchExists(hashes));
                    assertTrue(rig.view.batchGetV1(hashes, 0, 1, 2).allOk());
                    assertTrue(HiCacheRig.holds(pool));
                }
            }
        }
    }
}
