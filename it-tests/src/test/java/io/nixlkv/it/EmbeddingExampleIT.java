package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of README.md, line by line. */
class EmbeddingExampleIT {
    private static final int PAGE = 256 << 10;

    @TempDir
    Path directory;

    @Test
    void theExampleOfTheReadmeRuns() throws IOException {
        Path pluginsFolder = Distribution.PLUGINS;
        Path configFile = Files.writeString(
                directory.resolve("nixlkv.toml"),
                "[store]\nlayout = \"lmcache\"\n[plugin.posix]\nactive = true\nfile_path = \"" + directory.resolve("kv")
                        + "\"\n");
        // example
        try (KvHost host = KvHost.start(pluginsFolder);
                KvStore store = host.open(HostConfig.load(configFile, System.getenv()));
                ArenaLease memory = store.arena().lease(2 * PAGE, Duration.ofSeconds(1))) {
            memory.buffer().put(new byte[2 * PAGE]); // two pages of KV cache
            List<KvObject> pages = List.of(
                    new KvObject(store.key("org/model@00000000@0@0011"), memory.slice(0, PAGE)),
                    new KvObject(store.key("org/model@00000000@0@2233"), memory.slice(PAGE, PAGE)));

            BatchResult stored = store.store(pages, CallOptions.DEFAULT);
            BatchResult loaded = store.load(pages, CallOptions.DEFAULT);
            System.out.println(stored.okCount() + " stored, " + loaded.okCount() + " loaded, healthy: "
                    + store.status().healthy());
            // end
            assertTrue(stored.allOk() && loaded.allOk());
        }
    }

    @Test
    void theReadmeShowsThisCode() throws IOException {
        String code = section(
                Files.readString(Path.of("src/test/java/io/nixlkv/it/EmbeddingExampleIT.java")),
                "// example\n",
                "            // end\n");
        String shown = section(Files.readString(Path.of("../README.md")), "```java\n", "}\n```");
        assertEquals(code.stripTrailing().stripIndent(), shown.strip());
    }

    private static String section(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}
