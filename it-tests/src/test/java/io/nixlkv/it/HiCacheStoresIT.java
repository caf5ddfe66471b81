package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ClearResult;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.StridedPool;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view over stores of every mode. */
@Timeout(60)
class HiCacheStoresIT {
    private static final List<String> HASHES = HiCacheRig.hashes(8);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "presence_cache = true",
                "async_put = true",
                "presence_cache = true\nasync_put = true\nmax_capacity_gb = 1",
                "pool_size = 64\nslot_bytes = 8192",
                "arena_align_bytes = 512\nnum_workers = 1",
            })
    void pagesComeBackAndGo(String more) throws InterruptedException {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, false, HiCacheOptions.DEFAULT, more);
                ArenaPool inPlace = rig.pool(8, 3000)) {
            StridedPool copied = StridedPool.layerFirst(ByteBuffer.allocate(2 * 8 * 3000), false, 1, 8, 3000);
            for (HostPool pool : List.of(inPlace, copied)) {
                try (PoolRegistration registration = rig.view.register(pool)) {
                    assertEquals(pool == inPlace, registration.zeroCopy());
                    HiCacheRig.fill(pool);
                    assertTrue(rig.view.batchSetV1(HASHES, HiCacheRig.pages(8)).allOk());
                    assertEquals(8, rig.view.batchExists(HiCacheRig.hashes(9)));
                    HiCacheRig.wipe(pool);
                    assertTrue(rig.view.batchGetV1(HASHES, HiCacheRig.pages(8)).allOk());
                    assertTrue(HiCacheRig.holds(pool));
                }
            }
            while (more.contains("async_put") && rig.files().size() < 24) {
                TimeUnit.MILLISECONDS.sleep(10); // puts that were accepted and are under way are not listed yet
            }
            ClearResult cleared = rig.view.clear(Duration.ofSeconds(20));
            assertEquals(new ClearResult(24, 0, true, ""), cleared);
            assertEquals(0, rig.view.batchExists(HASHES));
        }
    }
}
