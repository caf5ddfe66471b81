package io.nixlkv.it;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The example of README.md, line by line, as an application of its own. */
final class EmbeddingExample {
    private static final int PAGE = 256 << 10;

    private EmbeddingExample() {}

    /** @param args plugins folder and configuration file */
    public static void main(String[] args) {
        Path pluginsFolder = Path.of(args[0]);
        Path configFile = Path.of(args[1]);
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
        }
        // end
    }
}
