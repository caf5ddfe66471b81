package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ClearResult;
import io.nixlkv.api.hicache.ElementType;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.PoolTransfer;
import io.nixlkv.api.hicache.TypedBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code clear} deletes one model's objects and nothing else. */
class HiCacheClearIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> HASHES = HiCacheRig.hashes(3);

    @TempDir
    Path directory;

    /** Three pages of a model, with a side pool and a tensor. */
    private void store(HiCacheIdentity identity, String more) {
        try (HiCacheRig rig = new HiCacheRig(directory, identity, false, HiCacheOptions.DEFAULT, more);
                ArenaPool pool = rig.pool(3, 100);
                ArenaPool swa = ArenaPool.lease(rig.store.arena(), "state", 1, 10, 10)) {
            rig.view.register(pool);
            rig.view.registerSidePool("swa", swa);
            assertTrue(rig.view.batchSetV1(HASHES, 0, 1, 2).allOk());
            assertTrue(rig.view
                    .batchSetV2(List.of(new PoolTransfer("swa", HASHES.subList(0, 1), 0)))
                    .get("swa")
                    .allOk());
            assertTrue(rig.view
                    .set(HASHES.get(0), TypedBuffer.zeros(ElementType.INT8, 5))
                    .ok());
        }
    }

    @Test
    void everyRankAndPoolOfTheModelGoesAndOthersStay() throws IOException {
        store(new HiCacheIdentity("org/model", 0, 2, false), "");
        store(new HiCacheIdentity("org/model", 1, 2, false), "");
        store(HiCacheIdentity.of("org/model-2"), "");
        store(HiCacheIdentity.of("org/model_draft"), "");
        store(new HiCacheIdentity("org/mla", 0, 1, true), "");
        Path foreign = Files.createFile(directory.resolve("readme.txt"));
        Path inBucket = Files.createDirectories(directory.resolve("00")).resolve("notes_org-model_0_1_k");
        Files.createFile(inBucket);
        try (HiCacheRig rig = new HiCacheRig(directory, new HiCacheIdentity("org/model", 1, 2, false))) {
            assertEquals(9 + 9 + 9 + 9 + 6 + 2, rig.files().size());
            assertEquals(new ClearResult(18, 0, true, ""), rig.view.clear(PATIENCE));
            assertTrue(rig.names().stream().noneMatch(name -> name.matches(".{64}_org-model_\\d.*")));
            assertEquals(9 + 9 + 6 + 2, rig.files().size());
            assertTrue(Files.exists(foreign) && Files.exists(inBucket));
            assertEquals(new ClearResult(0, 0, true, ""), rig.view.clear(PATIENCE));
        }
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA)) {
            assertEquals(6, rig.view.clear(PATIENCE).deleted());
            assertEquals(20, rig.files().size());
        }
    }

    @Test
    void aStoreOfOneModelClearsThatModel() {
        store(HiCacheIdentity.of("org/model"), "model = \"org/model\"");
        store(HiCacheIdentity.of("org/other"), "");
        try (HiCacheRig rig = new HiCacheRig(
                directory, HiCacheIdentity.of("org/model"), false, HiCacheOptions.DEFAULT, "model = \"org/model\"")) {
            assertEquals(9, rig.view.clear(PATIENCE).deleted());
            assertEquals(9, rig.files().size());
        }
    }

    /** A writer that goes on meanwhile neither fails nor makes the clear fail or last. */
    @Test
    void writersAndReadersGoOn() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(8, 100)) {
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> writer = HiCacheRig.start(() -> {
                int written = 0;
                while (!stop.get()) {
                    for (int page = 0; page < 8; page++) {
                        assertTrue(rig.view
                                .batchSetV1(List.of(HiCacheRig.hash(written)), page)
                                .allOk());
                        written++;
                    }
                }
                return written;
            });
            for (int round = 0; round < 10; round++) {
                ClearResult cleared = rig.view.clear(PATIENCE);
                assertTrue(cleared.complete() && cleared.failed() == 0, cleared::toString);
            }
            stop.set(true);
            assertTrue(writer.join() > 0);
            assertTrue(rig.view.clear(PATIENCE).complete());
            assertEquals(List.of(), rig.files());
        }
    }

    @Test
    void aClearWithoutTimeSaysSo() {
        store(HiCacheIdentity.of("org/model"), "");
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            ClearResult late = rig.view.clear(Duration.ofNanos(1));
            assertEquals(0, late.deleted());
            assertTrue(!late.complete() || rig.files().isEmpty());
            assertEquals(9, rig.view.clear(PATIENCE).deleted());
        }
    }

    /** What cannot be deleted is counted, once, and does not keep the clear from ending. */
    @Test
    void failuresAreCounted() throws IOException {
        store(HiCacheIdentity.of("org/model"), "");
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA)) {
            Path bucket = rig.files().get(0).getParent();
            Distribution.Run locked = Distribution.run(new ProcessBuilder("chattr", "+i", bucket.toString()));
            assumeTrue(
                    locked.exit() == 0,
                    () -> "chattr +i needs root and ext4: " + locked.err().strip());
            try {
                ClearResult cleared = rig.view.clear(PATIENCE);
                assertTrue(cleared.complete());
                assertTrue(cleared.failed() >= 1, cleared::toString);
                assertEquals(9, cleared.failed() + cleared.deleted());
                assertTrue(cleared.reason().contains("org-model_0_1"), cleared::reason);
            } finally {
                Distribution.run(new ProcessBuilder("chattr", "-i", bucket.toString()));
            }
            assertTrue(rig.view.clear(PATIENCE).complete());
            assertEquals(List.of(), rig.files());
        }
    }
}
