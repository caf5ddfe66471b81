package io.nixlkv.host;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.cleaner.CleaningReport;
import io.nixlkv.host.cleaner.CleaningWatch;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.host.selection.Selector;
import io.nixlkv.spi.MemoryArena;
import java.nio.file.Path;
import java.time.Duration;
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
    private final boolean longLived;
    private final List<KvStore> stores = new ArrayList<>();
    private boolean closed;

    private KvHost(PluginCatalog plugins, boolean longLived) {
        this.plugins = plugins;
        this.longLived = longLived;
    }

    /**
     * Discovers the strategies on the class path and in the jars of a folder. A jar that cannot be used costs nothing but itself:
     * see {@link PluginCatalog#rejections()}.
     *
     * @param pluginsFolder may be absent
     */
    public static KvHost start(Path pluginsFolder) {
        return new KvHost(PluginCatalog.discover(pluginsFolder), true);
    }

    /**
     * {@link #start} for a single task: stores neither count in the background what they hold nor keep objects in memory. A task that
     * stores opens its store with {@link #openCounted}.
     */
    public static KvHost startBriefly(Path pluginsFolder) {
        return new KvHost(PluginCatalog.discover(pluginsFolder), false);
    }

    /** What was found, and what was not usable and why. */
    public PluginCatalog plugins() {
        return plugins;
    }

    /**
     * Which strategy and engine a configuration leads to.
     *
     * @throws io.nixlkv.host.config.ConfigException with every problem at once
     * @throws io.nixlkv.spi.StorageException TIMED_OUT if the storage does not answer within the store's deadline, at least 5 s;
     *     UNAVAILABLE if the machine lacks what the configured plugin or engine needs
     */
    public Selection select(HostConfig config) {
        // a faulty configuration has no deadline; the selection tells its problems, all at once
        boolean right = config.validate(List.of()).isEmpty();
        return BoundedOpening.within(
                right ? config.store().deadline() : Duration.ZERO,
                StoragePlaces.of(config, plugins.strategies()),
                BoundedOpening.Storage.ANY,
                () -> Selector.select(config, plugins),
                late -> {});
    }

    /**
     * Opens a store with memory of its own, in the environment of this process.
     *
     * @param config a path, {@code @path}, JSON, or nothing: see {@link HostConfig#from}
     * @return the store, owned by the caller, and closed with this host at the latest
     * @throws io.nixlkv.host.config.ConfigException with every problem of the configuration at once
     * @throws io.nixlkv.spi.StorageException if the storage cannot be opened, TIMED_OUT if it does not open within the store's
     *     deadline, at least 5 s, or the slots of a static pool are not made within minutes and the time to fill them
     */
    public KvStore open(String config) {
        return open(HostConfig.from(config, System.getenv()));
    }

    /**
     * Opens a store with memory of its own.
     *
     * @return the store, owned by the caller, and closed with this host at the latest
     * @throws io.nixlkv.host.config.ConfigException with every problem of the configuration at once
     * @throws io.nixlkv.spi.StorageException if the storage cannot be opened, TIMED_OUT if it does not open within the store's
     *     deadline, at least 5 s, or the slots of a static pool are not made within minutes and the time to fill them
     */
    public KvStore open(HostConfig config) {
        return open(config, longLived ? StoreUse.SERVING : StoreUse.LOOKING);
    }

    /**
     * {@link #open(HostConfig)}, but where {@code max_capacity_gb} limits the store, what it holds is counted before this returns; a
     * host that lives counts in the background.
     *
     * @throws io.nixlkv.spi.StorageException as {@link #open(HostConfig)}; also TIMED_OUT if the count is not done within the
     *     store's deadline, UNAVAILABLE if it fails
     */
    public KvStore openCounted(HostConfig config) {
        return open(config, longLived ? StoreUse.SERVING : StoreUse.STORING);
    }

    private KvStore open(HostConfig config, StoreUse use) {
        Selection selection = select(config);
        return config.store().gpu().isPresent()
                ? open(
                        config,
                        selection,
                        StoreMemory.ofGpu(
                                config.store().gpu().getAsInt(), config.store().arenaBytes()),
                        use,
                        false)
                : open(config, selection, StoreMemory.kept(NativeArena.ofStore(config.store())), use, true);
    }

    /**
     * Opens a store on memory that the application owns and keeps until the store is closed. No objects are kept in it beside the
     * application's own leases, whatever {@code local_cpu} says. With a {@link DeviceArena} the store is one whose {@code
     * buffer_device} is that GPU, whatever the configuration says.
     *
     * @param arena segments aligned to 4096, direct buffers unless it is a {@link DeviceArena}
     * @throws io.nixlkv.spi.StorageException INVALID if a segment is not so, or the configuration wants memory of a GPU and gets host
     *     memory; UNAVAILABLE if the machine lacks what the configured plugin or engine needs
     */
    public KvStore open(HostConfig config, MemoryArena arena) {
        HostConfig fitting = StoreMemory.fitting(config, arena);
        return open(
                fitting,
                select(fitting),
                StoreMemory.kept(StoreMemory.checked(arena)),
                longLived ? StoreUse.SERVING : StoreUse.LOOKING,
                false);
    }

    /** @param keeps whether objects may be kept in the arena */
    private KvStore open(HostConfig config, Selection selection, StoreMemory memory, StoreUse use, boolean keeps) {
        config.notes().forEach(note -> LOG.info("{}: {}", config.source(), note));
        selection.warnings().forEach(warning -> LOG.warn("{}", warning));
        memory.passing(this::requireOpen);
        // Not under the lock: storage that hangs must not keep the host's other stores from opening and closing.
        OwnedStore store =
                new OwnedStore(StoreOpening.open(config, selection, memory, use, keeps && longLived), this::forget);
        synchronized (stores) {
            if (!closed) {
                stores.add(store);
                return store;
            }
        }
        store.close();
        throw closed();
    }

    /**
     * Makes one pass of the cleaner over a store of files now, whatever {@code l3_cleaner_enabled} says: if a file system, or the
     * budget, is used to the high watermark, deletes the objects not used for longest until it is used below the low one.
     *
     * @param dryRun whether nothing is deleted, only reckoned
     * @param anyModel whether objects of other models than the store's may go as well
     * @param watch goes with the pass
     * @throws io.nixlkv.host.config.ConfigException with every problem of the configuration at once
     * @throws io.nixlkv.spi.StorageException UNSUPPORTED if the store keeps no files to clean; UNAVAILABLE if it cannot be looked at
     */
    public CleaningReport clean(HostConfig config, boolean dryRun, boolean anyModel, CleaningWatch watch) {
        Selection selection = select(config);
        requireOpen();
        return StoreCleaning.now(config, selection, dryRun, anyModel, watch);
    }

    private void requireOpen() {
        synchronized (stores) {
            if (closed) {
                throw closed();
            }
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the host is closed");
    }

    /** A closed store and its memory are not kept as long as the host lives. */
    private void forget(OwnedStore store) {
        synchronized (stores) {
            stores.remove(store);
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
