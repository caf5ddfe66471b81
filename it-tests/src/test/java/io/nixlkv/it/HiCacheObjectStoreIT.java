package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.ClearResult;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.plugin.support.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The view over an object store, a real MinIO: names without buckets, zero copy whatever the alignment, a scoped clear. */
class HiCacheObjectStoreIT {
    private static final List<String> HASHES = HiCacheRig.hashes(3);

    @TempDir
    static Path directory;

    private static ServerProcess minio;
    private static int port;

    @BeforeAll
    static void startMinio() throws IOException {
        Optional<Path> program = ServerProcess.find("NIXLKV_MINIO", "minio", "minio/minio");
        assumeTrue(
                program.isPresent(),
                "no MinIO: name it in NIXLKV_MINIO or install it with benchmarks/peers install-minio");
        port = ServerProcess.freePort();
        Path data = directory.resolve("data");
        Files.createDirectories(data.resolve("pages")); // a folder is a bucket
        minio = ServerProcess.start(
                directory,
                port,
                Map.of("MINIO_ROOT_USER", "hicache-test", "MINIO_ROOT_PASSWORD", "hicache-test-secret"),
                List.of(
                        program.get().toString(),
                        "server",
                        data.toString(),
                        "--address",
                        "127.0.0.1:" + port,
                        "--quiet"));
    }

    @AfterAll
    static void stopMinio() {
        if (minio != null) {
            minio.close();
        }
    }

    private static KvStore open(PackedHost host) {
        return host.host().open(HostConfig.parse("""
            [store]
            layout = "hicache"
            arena_gb = 0.0625
            [plugin.obj]
            active = true
            bucket = "pages"
            endpoint_override = "http://127.0.0.1:%d"
            access_key = "hicache-test"
            secret_key = "hicache-test-secret"
            """.formatted(port), "test.toml", Map.of()));
    }

    private static void store(KvStore store, HiCacheIdentity identity) {
        try (HiCache view = HiCacheView.over(store, identity, HiCacheOptions.DEFAULT);
                ArenaPool pool = identity.mla()
                        ? ArenaPool.lease(store.arena(), "page_first", 3, 1000)
                        : ArenaPool.lease(store.arena(), "page_first", 3, 1000, 1000)) {
            assertTrue(view.register(pool).zeroCopy());
            HiCacheRig.fill(pool);
            assertTrue(view.batchSetV1(HASHES, 0, 1, 2).allOk());
            HiCacheRig.wipe(pool);
            assertEquals(3, view.batchExists(HASHES));
            assertTrue(view.batchGetV1(HASHES, 0, 1, 2).allOk());
            assertTrue(HiCacheRig.holds(pool));
        }
    }

    private static TreeSet<String> listed(KvStore store) {
        TreeSet<String> names = new TreeSet<>();
        store.list("", (key, length, lastUse) -> names.add(key.text()));
        return names;
    }

    @Test
    void pagesAreObjectsAndAClearKeepsToItsModel() {
        try (PackedHost host = new PackedHost();
                KvStore store = open(host)) {
            store(store, HiCacheRig.MHA);
            store(store, HiCacheRig.MLA);
            TreeSet<String> names = listed(store);
            assertEquals(9, names.size());
            assertTrue(names.contains(HASHES.get(0) + "_org-model_0_1_k"), names::toString);

            try (HiCache view = HiCacheView.over(store, HiCacheRig.MHA, HiCacheOptions.DEFAULT);
                    ArenaPool pool = ArenaPool.lease(store.arena(), "page_first", 3, 1000, 1000)) {
                view.register(pool);
                List<? extends KvKey> second =
                        HiCacheRig.MHA.objects(true).ofKv(HASHES.get(1)).subList(1, 2);
                assertTrue(store.delete(second, CallOptions.DEFAULT).allOk());
                assertEquals(1, view.batchExists(HASHES));
                assertEquals(new ClearResult(5, 0, true, ""), view.clear(Duration.ofSeconds(20)));
                assertEquals(0, view.batchExists(HASHES));
            }
            assertEquals(
                    new TreeSet<>(
                            HASHES.stream().map(hash -> hash + "_org-mla_k").toList()),
                    listed(store));
        }
    }
}
