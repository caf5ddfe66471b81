package io.nixlkv.host.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.api.hicache.ClearResult;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PoolHits;
import io.nixlkv.api.hicache.PoolQuery;
import io.nixlkv.api.hicache.PoolTransfer;
import io.nixlkv.api.hicache.TypedBuffer;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link HiCache} over a store of layout {@code hicache}. */
public final class HiCacheView implements HiCache {
    private static final String LAYOUT = "hicache";
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(HiCacheView.class);

    private final ViewCalls calls;
    private final Registrations registrations;
    private final PageTransfers transfers;
    private final TypedTransfers tensors;
    private final PageLookups lookups;

    private HiCacheView(ViewCalls calls, Registrations registrations) {
        this.calls = calls;
        this.registrations = registrations;
        transfers = new PageTransfers(calls);
        tensors = new TypedTransfers(calls);
        lookups = new PageLookups(calls);
    }

    /**
     * Opens a view.
     *
     * @param store of layout {@code hicache}; it stays the caller's, and must outlive the view
     * @param identity whose pages they are; where the store has a model, the same
     * @throws StorageException INVALID if the store has another layout
     */
    public static HiCache over(KvStore store, HiCacheIdentity identity, HiCacheOptions options) {
        StoreStatus status = store.status();
        Object layout = status.details().get("layout");
        if (!LAYOUT.equals(layout)) {
            throw new StorageException(
                    Status.INVALID,
                    "the store has layout " + layout + "; a HiCache view needs [store] layout = \"" + LAYOUT + "\"");
        }
        if (store.arena().kind() != Segment.DRAM_SEG) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "the store's arena is memory of a GPU; a HiCache view takes host memory only: open its store with"
                            + " buffer_device = \"cpu\"");
        }
        boolean direct = Boolean.TRUE.equals(status.details().get("use_direct_io"));
        Duration patience = Objects.requireNonNullElseGet(options.deadline(), () -> deadlineOf(status));
        ViewCalls calls = new ViewCalls(store, identity, patience);
        LOG.info(
                "HiCache agent initialised: model {}, rank {} of {}, backend {}, direct I/O {}",
                identity.model(),
                identity.tpRank(),
                identity.tpSize(),
                status.backend(),
                direct ? "on" : "off");
        return new HiCacheView(calls, new Registrations(calls, direct, options.bouncePages()));
    }

    private static Duration deadlineOf(StoreStatus status) {
        return status.details().get("deadline_ms") instanceof Number millis
                ? Duration.ofMillis(millis.longValue())
                : DEADLINE;
    }

    @Override
    public HiCacheIdentity identity() {
        return calls.identity();
    }

    @Override
    public HostRegistration register(HostPool pool) {
        return registrations.kv(pool);
    }

    @Override
    public HostRegistration registerSidePool(String name, HostPool pool) {
        return registrations.side(name, pool);
    }

    @Override
    public int batchExists(List<String> pageHashes) {
        return pageHashes.isEmpty() ? 0 : lookups.leading(names(), lengths(), pageHashes);
    }

    @Override
    public BatchResult lookup(List<String> pageHashes) {
        return new BatchResult(pageHashes.isEmpty() ? List.of() : lookups.run(names(), lengths(), pageHashes, false));
    }

    private PoolNames names() {
        return registrations
                .kv()
                .map(HostRegistration::names)
                .orElseGet(() -> PoolNames.kv(calls.identity().objects(false)));
    }

    private long[] lengths() {
        return registrations.kv().map(HostRegistration::lengths).orElseGet(() -> new long[] {0});
    }

    @Override
    public PoolHits batchExistsV2(List<String> pageHashes, List<PoolQuery> pools) {
        int kvPages = batchExists(pageHashes);
        int pages = kvPages;
        Map<String, Integer> boundaries = new LinkedHashMap<>();
        for (PoolQuery query : pools) {
            int boundary = pages == 0
                    ? 0
                    : registrations
                            .side(query.pool())
                            .map(side -> lookups.boundary(side, query, pageHashes.subList(0, kvPages)))
                            .orElse(0);
            boundaries.put(query.pool(), boundary);
            pages = Math.min(pages, boundary);
        }
        return new PoolHits(pages, kvPages, boundaries);
    }

    @Override
    public BatchResult batchGetV1(List<String> pageHashes, int... pages) {
        return registrations
                .kv()
                .map(host -> transfers.run(Direction.LOAD, host, pageHashes, pages))
                .orElseGet(() -> unregistered("KV", pageHashes.size()));
    }

    @Override
    public BatchResult batchSetV1(List<String> pageHashes, int... pages) {
        registrations.requireOpen();
        if (calls.identity().skipsBackup()) {
            return skipped(pageHashes.size());
        }
        return registrations
                .kv()
                .map(host -> transfers.run(Direction.STORE, host, pageHashes, pages))
                .orElseGet(() -> unregistered("KV", pageHashes.size()));
    }

    @Override
    public Map<String, BatchResult> batchGetV2(List<PoolTransfer> transfers) {
        return v2(Direction.LOAD, transfers);
    }

    @Override
    public Map<String, BatchResult> batchSetV2(List<PoolTransfer> transfers) {
        return v2(Direction.STORE, transfers);
    }

    private Map<String, BatchResult> v2(Direction direction, List<PoolTransfer> wanted) {
        Map<String, BatchResult> results = new LinkedHashMap<>();
        for (PoolTransfer transfer : wanted) {
            BatchResult result = registrations
                    .side(transfer.pool())
                    .map(host -> v2(direction, host, transfer))
                    .orElseGet(() ->
                            unregistered(transfer.pool(), transfer.pageHashes().size()));
            if (results.put(transfer.pool(), result) != null) {
                throw new StorageException(
                        Status.INVALID, "pool " + transfer.pool() + " is twice in the batch; join its pages");
            }
        }
        return results;
    }

    private BatchResult v2(Direction direction, HostRegistration host, PoolTransfer transfer) {
        boolean skips = direction == Direction.STORE
                && calls.identity().skipsBackup()
                && host.names().isShared();
        return skips
                ? skipped(transfer.pageHashes().size())
                : transfers.run(direction, host, transfer.pageHashes(), transfer.pages());
    }

    @Override
    public BatchResult batchGet(List<String> pageHashes, List<TypedBuffer> targets) {
        registrations.requireOpen();
        return tensors.run(Direction.LOAD, pageHashes, targets);
    }

    @Override
    public BatchResult batchSet(List<String> pageHashes, List<TypedBuffer> values) {
        registrations.requireOpen();
        return calls.identity().skipsBackup()
                ? skipped(pageHashes.size())
                : tensors.run(Direction.STORE, pageHashes, values);
    }

    private static BatchResult unregistered(String pool, int pages) {
        return new BatchResult(PageResults.all(
                pages, Status.UNAVAILABLE, "no " + pool + " pool is registered with this view; register it first"));
    }

    private BatchResult skipped(int pages) {
        return new BatchResult(PageResults.all(
                pages,
                Status.DONE,
                "not written: rank " + calls.identity().tpRank()
                        + " of an MLA model leaves what all ranks share to rank 0"));
    }

    @Override
    public ClearResult clear(Duration patience) {
        registrations.requireOpen();
        ModelNames own = new ModelNames(calls.identity(), registrations.sidePoolNames());
        return new ModelClear(calls.store(), own, patience).run();
    }

    @Override
    public void close() {
        registrations.close();
    }
}
