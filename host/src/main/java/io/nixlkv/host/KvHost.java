package io.nixlkv.host;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.host.selection.Selector;
import io.nixlkv.spi.MemoryArena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry of the host room: finds storage strategies, and opens stores on them. Thread-safe. Closing it closes the stores it
 * opened, then lets go of the plugin jars.
 */
public final class KvHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KvHost.class);

    private final PluginCatalog plugins;
    private final List<KvStore> stores = new ArrayList<>();
    private boolean closed;

    private KvHost(PluginCatalog plugins) {
        this.plugins = plugins;
    }

    /**
     * Discovers the strategies on the class path and in the jars of a folder. A jar that cannot be used costs nothing but itself:
     * see {@link PluginCatalog#rejections()}.
     *
     * @param pluginsFolder may be absent
     */
    public static KvHost start(Path pluginsFolder) {
        return new KvHost(PluginCatalog.discover(pluginsFolder));
    }

    /** What was found, and what was not usable and why. */
    public PluginCatalog plugins() {
        return plugins;
    }

    /**
     * Which strategy and engine a configuration leads to.
     *
     * @throws io.nixlkv.host.config.ConfigException with every problem at once
     */
    public Selection select(HostConfig config) {
        return Selector.select(config, plugins);
    }

    /**
     * Opens a store with memory of its own.
     *
     * @return the store, owned by the caller, and closed with this host at the latest
     * @throws io.nixlkv.host.config.ConfigException with every problem of the configuration at once
     * @throws io.nixlkv.spi.StorageException if the storage cannot be opened
     */
    public KvStore open(HostConfig config) {
        Selection selection = select(config);
        return open(config, selection, NativeArena.ofStore(StoreOpening.arenaBytes(config), false));
    }

    /**
     * Opens a store on memory that the application owns and keeps until the store is closed.
     *
     * @param arena direct segments, aligned to 4096
     */
    public KvStore open(HostConfig config, MemoryArena arena) {
        return open(config, select(config), StoreOpening.checked(arena));
    }

    private KvStore open(HostConfig config, Selection selection, MemoryArena arena) {
        selection.warnings().forEach(warning -> LOG.warn("{}", warning));
        synchronized (stores) {
            if (closed) {
                throw new IllegalStateException("the host is closed");
            }
            KvStore store = StoreOpening.open(config, selection, arena);
            stores.add(store);
            return store;
        }
    }

    /** Closes every store, then the plugin jars. Idempotent. */
    @Override
    public void close() {
        List<KvStore> open;
        synchronized (stores) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(stores);
            stores.clear();
        }
        for (KvStore store : open) {
            try {
                store.close();
            } catch (RuntimeException failed) {
                LOG.warn("closing a store failed", failed);
            }
        }
        plugins.close();
    }
}
