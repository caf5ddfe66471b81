package io.nixlkv.host;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.async.AsyncPutStore;
import io.nixlkv.host.capacity.CapacitySettings;
import io.nixlkv.host.capacity.CapacityStore;
import io.nixlkv.host.cleaner.Cleaner;
import io.nixlkv.host.cleaner.CleaningStore;
import io.nixlkv.host.cleaner.Leases;
import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.local.LocalCache;
import io.nixlkv.host.local.LocalCacheStore;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.host.presence.PresenceCache;
import io.nixlkv.host.presence.PresenceStore;
import io.nixlkv.host.store.DynamicStore;
import io.nixlkv.host.store.StaticPoolStore;
import io.nixlkv.host.store.StoreSpec;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the configuration puts in front of a store. Of a dynamic one: capacity, then the presence cache, then objects kept in memory,
 * then asynchronous puts. Of a static pool: objects kept in memory.
 */
final class StoreLayers {
    /** Time between a lookup and the load it is for. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration COUNT_PATIENCE = Duration.ofHours(1);

    /** Share of the heap that the presence cache may take: one part of so many. */
    private static final int HEAP_PARTS = 8;

    /** Objects kept in memory leave this part of the arena to transfers: one part of so many. */
    private static final int TRANSFER_PARTS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(StoreLayers.class);

    private StoreLayers() {}

    /** @throws StorageException UNSUPPORTED if objects are to be evicted that the engine cannot list or delete */
    static void requireEvictable(StoreSpec spec, StoreSettings settings, ModeSettings modes) {
        Set<Feature> has = spec.engine().can().features();
        boolean able = has.contains(Feature.DELETE) && has.contains(Feature.LIST);
        if (settings.poolSize() == 0 && settings.maxCapacityBytes() > 0 && modes.evicts() && !able) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    (spec.isFile() ? "FILE" : "OBJECT") + " storage does not support eviction with engine "
                            + spec.engine().engine() + " of " + spec.strategy()
                            + "; set eviction = \"none\" and have a lifecycle rule of the store remove old objects");
        }
    }

    static KvStore over(StaticPoolStore pool, StoreSpec spec, ModeSettings modes) {
        if (!modes.localCpu()) {
            return pool;
        }
        LocalCache kept = cache(pool.arena(), spec);
        pool.reclaimFrom(kept::giveBack);
        return keeping(pool, new KeyDigests(spec.layout()), kept, spec, (key, name) -> pool.used(key));
    }

    private static LocalCache cache(KvArena arena, StoreSpec spec) {
        return new LocalCache(arena, spec.arenaAlignment(), arena.bytes() - arena.bytes() / TRANSFER_PARTS);
    }

    private static KvStore keeping(
            KvStore store, KeyDigests digests, LocalCache kept, StoreSpec spec, LocalCacheStore.Hits hits) {
        return new LocalCacheStore(store, digests, kept, spec.mode(), spec.objectBytes(), spec.lengths()::stored, hits);
    }

    /** @param cleaner of the store, not started; the store closes it */
    static KvStore over(
            DynamicStore dynamic,
            StoreSpec spec,
            StoreSettings settings,
            ModeSettings modes,
            StoreUse use,
            Optional<Cleaner> cleaner) {
        KeyDigests digests = new KeyDigests(spec.layout());
        PresenceCache known = new PresenceCache(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
        LocalCache kept = modes.localCpu() ? cache(dynamic.arena(), spec) : null;
        Leases leases = new Leases(LEASE);
        KvStore store = dynamic;
        Consumer<HashValue128> hit = name -> {};
        Consumer<KvKey> forget = key -> {
            HashValue128 name = digests.of(key);
            known.remove(name);
            if (kept != null) {
                kept.forget(name);
            }
        };
        Consumer<KvKey> gone = forget;
        if (cleaner.isPresent()) {
            store = new CleaningStore(dynamic, cleaner.get(), leases, digests);
            hit = leases::used;
        }
        if (settings.maxCapacityBytes() > 0) {
            CapacityStore limited = new CapacityStore(
                    store,
                    visitor -> dynamic.listAll(COUNT_PATIENCE, visitor),
                    new CapacitySettings(
                            settings.maxCapacityBytes(),
                            modes.evicts(),
                            modes.triggerWatermark(),
                            modes.evictionRatio(),
                            LEASE,
                            use != StoreUse.LOOKING && spec.engine().can().has(Feature.LIST)),
                    digests,
                    settings.atomicity(),
                    spec.lengths()::stored,
                    forget);
            if (use != StoreUse.LOOKING && !modes.evicts()) {
                LOG.warn(
                        "max_capacity_gb is set without eviction: at {} bytes stores are refused until objects are deleted; set"
                                + " eviction = \"lru\" to have room made",
                        settings.maxCapacityBytes());
            }
            if (use == StoreUse.STORING) {
                limited.awaitCount(settings.deadline());
            }
            store = limited;
            hit = hit.andThen(limited::used);
            gone = gone.andThen(limited::gone);
        }
        if (cleaner.isPresent()) {
            cleaner.get().start(key -> leases.has(digests.of(key)), gone);
        }
        if (modes.presenceCache()) {
            store = new PresenceStore(
                    store,
                    digests,
                    known,
                    modes.presenceCacheOnly(),
                    settings.objectBytes(),
                    spec.lengths()::stored,
                    hit);
        }
        if (kept != null) {
            dynamic.reclaimFrom(kept::giveBack);
            Consumer<HashValue128> used = hit;
            store = keeping(store, digests, kept, spec, (key, name) -> used.accept(name));
        }
        return modes.asyncPut()
                ? new AsyncPutStore(store, settings.deadline(), settings.atomicity(), spec.lengths()::stored)
                : store;
    }
}
