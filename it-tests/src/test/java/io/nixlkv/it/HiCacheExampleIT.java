package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.hicache.HiCacheView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/hicache.md, line by line. */
class HiCacheExampleIT {
    private static final Path DOCUMENT = Path.of("../docs/hicache.md");
    private static final int PAGES = 4;
    private static final int PART = 64 << 10;

    @TempDir
    Path directory;

    @Test
    void theExampleOfTheDocumentRuns() throws IOException {
        Path pluginsFolder = Distribution.PLUGINS;
        String toml = section(Files.readString(DOCUMENT), "```toml\n", "```");
        HostConfig config = HostConfig.parse(toml.replace("/data/", directory + "/"), "nixlkv.toml", Map.of());
        String firstHash = HiCacheRig.hash(0);
        String secondHash = HiCacheRig.hash(1);
        // example
        HiCacheIdentity identity = config.store().layoutSettings().identity();
        try (KvHost host = KvHost.start(pluginsFolder);
                KvStore store = host.open(config);
                HiCache cache = HiCacheView.over(store, identity, HiCacheOptions.DEFAULT);
                ArenaPool pool =
                        ArenaPool.lease(store.arena(), "page_first", PAGES, PART, PART); // K and V of each page
                PoolRegistration registration = cache.register(pool)) {
            pool.buffer(0, 0).put(new byte[PART]); // K of page 0, from the engine
            List<String> hashes = List.of(firstHash, secondHash);

            BatchResult stored = cache.batchSetV1(hashes, 0, 1);
            int hits = cache.batchExists(hashes);
            BatchResult loaded = cache.batchGetV1(hashes, 2, 3);
            System.out.println(stored.okCount() + " pages stored, " + hits + " found, " + loaded.leadingOk()
                    + " loaded, zero copy: " + registration.zeroCopy());
            // end
            assertTrue(stored.allOk() && loaded.allOk() && registration.zeroCopy());
            assertEquals(2, hits);
            assertEquals(new HiCacheIdentity("org/model", 0, 8, false), identity);
        }
    }

    @Test
    void theDocumentShowsThisCode() throws IOException {
        String code = section(
                Files.readString(Path.of("src/test/java/io/nixlkv/it/HiCacheExampleIT.java")),
                "// example\n",
                "            // end\n");
        String shown = section(Files.readString(DOCUMENT), "```java\n", "}\n```");
        assertEquals(code.stripTrailing().stripIndent(), shown.strip());
    }

    private static String section(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}
