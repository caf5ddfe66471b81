package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Errors of files: a result for each page, in order, that tells the truth. */
class HiCacheFileErrorsIT {
    @TempDir
    Path directory;

    private static List<Status> statuses(BatchResult result) {
        return result.results().stream().map(ObjectResult::status).toList();
    }

    @Test
    void oneResultForEachPageAlsoWhenHalvesFail() throws IOException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(5, 4096)) {
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            List<String> hashes = HiCacheRig.hashes(5);
            assertTrue(rig.view.batchSetV1(hashes, HiCacheRig.pages(5)).allOk());
            Files.delete(rig.file(new PageKey(hashes.get(1), "org/model", 0, 1, "v")));
            Path unreadable = rig.file(new PageKey(hashes.get(3), "org/model", 0, 1, "k"));
            Files.delete(unreadable);
            Files.createDirectory(unreadable);
            HiCacheRig.wipe(pool);
            BatchResult loaded = rig.view.batchGetV1(hashes, HiCacheRig.pages(5));
            List<Status> statuses = statuses(loaded);
            assertEquals(5, statuses.size());
            assertEquals(Status.MISSING, statuses.get(1));
            assertFalse(loaded.get(3).ok() || statuses.get(3) == Status.MISSING, loaded::toString);
            assertTrue(
                    loaded.get(3).reason().contains(hashes.get(3)),
                    loaded.get(3).reason());
            for (int good : new int[] {0, 2, 4}) {
                assertEquals(Status.DONE, statuses.get(good));
                assertEquals(8192, loaded.get(good).storedLength());
                assertTrue(HiCacheRig.holds(pool, good, good));
            }
        }
    }

    @Test
    void aFullDiskFailsWhatDoesNotFitAndExistsAgrees() {
        try (Mount full = Mount.tmpfs(directory, "1m");
                HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA)) {
            StridedPool pool = StridedPool.layerFirst(ByteBuffer.allocate(10 * 200 * 1024), true, 1, 10, 200 * 1024);
            rig.view.register(pool);
            List<String> hashes = HiCacheRig.hashes(10);
            BatchResult stored = rig.view.batchSetV1(hashes, HiCacheRig.pages(10));
            assertTrue(stored.okCount() == 4 || stored.okCount() == 5, stored::toString);
            assertEquals(10 - stored.okCount(), stored.count(Status.NO_SPACE));
            BatchResult found = rig.view.lookup(hashes);
            for (int i = 0; i < 10; i++) {
                assertEquals(stored.get(i).ok(), found.get(i).ok());
            }
            assertEquals(stored.leadingOk(), rig.view.batchExists(hashes));
            assertTrue(full != null);
        }
    }

    @Test
    void aPageIsThereOnlyWithBothHalves() throws IOException {
        String hash = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";
        HiCacheIdentity llama = new HiCacheIdentity("meta-llama/Llama-3.1-8B-Instruct", 0, 8, false);
        try (HiCacheRig rig = new HiCacheRig(directory, llama);
                ArenaPool pool = rig.pool(2, 4096)) {
            rig.view.register(pool);
            Path bucketOfV = Files.createFile(directory.resolve("fa"));
            BatchResult stored = rig.view.batchSetV1(List.of(hash, HiCacheRig.hash(0)), 0, 1);
            assertFalse(stored.get(0).ok());
            assertTrue(stored.get(0).reason().contains(hash), stored.get(0).reason());
            assertTrue(stored.get(1).ok());
            assertFalse(rig.view.exists(hash), "K alone is no page");
            Files.delete(bucketOfV);
            assertTrue(rig.view.batchSetV1(List.of(hash), 0).allOk());
            assertTrue(rig.view.exists(hash));
        }
    }

    @Test
    void wrongCallsAreRefusedAndUnregisteredOnesAnswered() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(2, 4096)) {
            List<String> hashes = HiCacheRig.hashes(2);
            assertEquals(List.of(Status.UNAVAILABLE, Status.UNAVAILABLE), statuses(rig.view.batchGetV1(hashes, 0, 1)));
            assertEquals(List.of(Status.UNAVAILABLE, Status.UNAVAILABLE), statuses(rig.view.batchSetV1(hashes, 0, 1)));
            rig.view.register(pool);
            assertRefused("2 page hashes for 1 pages", () -> rig.view.batchSetV1(hashes, 0));
            assertRefused("not in the pool of 2 pages", () -> rig.view.batchSetV1(hashes, 0, 2));
            assertRefused("not in the pool of 2 pages", () -> rig.view.batchGetV1(hashes, 0, -1));
            assertRefused("twice", () -> rig.view.batchSetV1(List.of(hashes.get(0), hashes.get(0)), 0, 1));
            assertRefused("64 lower-case hex digits", () -> rig.view.batchExists(List.of("../../etc/passwd")));
            assertEquals(0, rig.view.batchExists(List.of()));
            assertEquals(0, rig.view.batchGetV1(List.of()).size());
            assertEquals(List.of(), rig.files());
            rig.view.close();
            rig.view.close();
            TypedBuffer tensor = TypedBuffer.zeros(ElementType.INT8, 1);
            assertRefused("view is closed", () -> rig.view.batchSetV1(hashes, 0, 1));
            assertRefused("view is closed", () -> rig.view.batchExists(hashes));
            assertRefused("view is closed", () -> rig.view.get(hashes.get(0), tensor));
            assertTrue(rig.store.status().healthy(), "the store stays open");
        }
    }

    private static void assertRefused(String why, Executable call) {
        StorageException refused = assertThrows(StorageException.class, call);
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }
}
