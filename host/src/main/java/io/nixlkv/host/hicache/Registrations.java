package io.nixlkv.host.hicache;

import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PageObjects;
import io.nixlkv.api.hicache.SlicedPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pools that a view has taken, by their names; the KV pool's is empty. Thread-safe. */
final class Registrations {
    /** SGLang's alignment for direct I/O: the safe lower bound of file systems. */
    private static final int ALIGNMENT = 4096;

    private static final String KV = "";
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    private final ViewCalls calls;
    private final boolean direct;
    private final int bouncePages;
    private final Map<String, HostRegistration> pools = new TreeMap<>();
    private final Set<String> sidePoolsSeen = new TreeSet<>();
    private boolean closed;

    /** @param direct whether transfers want to bypass the page cache */
    Registrations(ViewCalls calls, boolean direct, int bouncePages) {
        this.calls = calls;
        this.direct = direct;
        this.bouncePages = bouncePages;
    }

    synchronized Optional<HostRegistration> kv() {
        return side(KV);
    }

    synchronized Optional<HostRegistration> side(String name) {
        requireOpen();
        return Optional.ofNullable(pools.get(name));
    }

    synchronized Set<String> sidePoolNames() {
        return Set.copyOf(sidePoolsSeen);
    }

    synchronized void requireOpen() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "the HiCache view is closed");
        }
    }

    HostRegistration kv(HostPool pool) {
        boolean zeroCopy = PageObjects.isZeroCopy(pool.layout()) && isTransferable("kv", pool);
        PoolNames names = PoolNames.kv(calls.identity().objects(zeroCopy));
        if (zeroCopy && ((SlicedPool) pool).parts() != names.parts()) {
            throw new StorageException(
                    Status.INVALID,
                    "a page of "
                            + (calls.identity().mla() ? "an MLA model has 1 part" : "this model has 2 parts, K and V")
                            + ", and the pool's pages have " + ((SlicedPool) pool).parts());
        }
        return register(KV, pool, names);
    }

    HostRegistration side(String name, HostPool pool) {
        boolean zeroCopy = pool instanceof SlicedPool && isTransferable(name, pool);
        PoolNames names = PoolNames.side(calls.identity().objects(zeroCopy), name, pool);
        names.of("0".repeat(64)); // refuses a name that is none
        return register(name, pool, names);
    }

    /** Whether an eligible pool can be transferred where it is. */
    private boolean isTransferable(String name, HostPool pool) {
        if (!(pool instanceof SlicedPool sliced)) {
            throw new StorageException(
                    Status.INVALID,
                    "a pool of layout " + pool.layout() + " is transferred without copies, so its pages must be in the"
                            + " store's arena: lease it with ArenaPool.lease, or open the store on the memory that holds"
                            + " it with KvHost.open(config, arena) and use ArenaPool.over");
        }
        if (direct && !sliced.isAligned(ALIGNMENT)) {
            LOG.warn(
                    "HiCache pool {}: with direct I/O its first page and its stride must be multiples of {} bytes, and are not;"
                            + " pages are copied through bounce memory, under names of their own",
                    name,
                    ALIGNMENT);
            return false;
        }
        return true;
    }

    private synchronized HostRegistration register(String name, HostPool pool, PoolNames names) {
        requireOpen();
        if (!pool.deviceType().equals("cpu")) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "the memory of pool " + names + " is on device " + pool.deviceType()
                            + "; a HiCache view takes host memory (cpu) only");
        }
        if (pools.containsKey(name)) {
            throw new StorageException(
                    Status.INVALID, "a pool " + names + " is registered already; close its registration first");
        }
        HostRegistration registration = new HostRegistration(
                names,
                pool,
                calls.store().arena(),
                bouncePages,
                calls.patience().toNanos(),
                closing -> forget(name, closing));
        pools.put(name, registration);
        if (!name.equals(KV)) {
            sidePoolsSeen.add(name);
        }
        HiCacheIdentity identity = calls.identity();
        LOG.info(
                "HiCache pool {} registered: layout={} zero_copy={} mem_pool_device_type={} is_mla_model={} tp_rank={}"
                        + " backup_skip={}",
                names,
                pool.layout(),
                registration.zeroCopy(),
                pool.deviceType(),
                identity.mla(),
                identity.tpRank(),
                identity.skipsBackup() && names.isShared());
        return registration;
    }

    private synchronized void forget(String name, HostRegistration registration) {
        pools.remove(name, registration);
    }

    void close() {
        List<HostRegistration> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(pools.values());
        }
        open.forEach(HostRegistration::close);
    }
}
