package io.nixlkv.host.store;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store with a descriptor per transfer: every object has a name of its own, and several processes may share the place. See {@link
 * KvStore} for the contract.
 */
public final class DynamicStore extends TransferStore {
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration BACKEND_PATIENCE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(DynamicStore.class);

    private final StorageBackend backend;
    private final Workers workers;
    private final CallBuilder calls;
    private final Listing listing;
    private final ShardCensus census;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes over the backend, also if the constructor fails.
     *
     * @throws StorageException if a lane cannot be opened
     */
    public DynamicStore(StoreSpec spec, StorageBackend backend, MemoryArena memory) {
        super(spec, memory);
        this.backend = backend;
        calls = new CallBuilder(spec.layout(), backend.roots(), spec.engine().can());
        listing = new Listing(spec, backend);
        try {
            workers = new Workers(
                    "nixlkv-" + spec.strategy().toLowerCase(java.util.Locale.ROOT),
                    backend,
                    arena,
                    spec.workers(),
                    spec.engine().can().maxBatch());
        } catch (RuntimeException refused) {
            backend.close();
            throw refused;
        }
        census = ShardCensus.start(spec, backend);
    }

    @Override
    void storing(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
        boolean whole = orElse(options.atomicity(), spec.atomicity()) == Atomicity.ALL_OR_NOTHING;
        Mode mode = orElse(options.mode(), spec.mode());
        requireFeature(
                mode == Mode.CREATE ? Feature.CREATE : Feature.REPLACE,
                "write mode " + mode,
                mode == Mode.CREATE ? "; set write_mode = \"replace\"" : "");
        if (whole) {
            requireFeature(Feature.STAGE, "an all-or-nothing store");
        }
        Reasons reasons = reasons("store", i -> objects.get(i).key().text());
        Consumer<Call> finish = call -> finish(call, reasons, answer);
        AllOrNothing protocol = whole ? new AllOrNothing(workers, spec.exclusive(), mode, finish) : null;
        Call call = calls.build(
                whole ? Op.STAGE : Op.WRITE,
                mode,
                spec.durable(),
                deadline(options),
                objects.size(),
                i -> objects.get(i).key(),
                whole ? protocol::staged : finish);
        slices(call, objects, true);
        workers.submit(call);
    }

    @Override
    void loading(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
        Reasons reasons = reasons("load", i -> objects.get(i).key().text());
        Call call = calls.build(
                Op.READ,
                Mode.CREATE,
                false,
                deadline(options),
                objects.size(),
                i -> objects.get(i).key(),
                done -> finish(done, reasons, answer));
        slices(call, objects, false);
        workers.submit(call);
    }

    @Override
    void lookingUp(List<? extends KvKey> keys, CallOptions options, long[] expected, Consumer<BatchResult> answer) {
        requireExpected(keys, expected);
        Reasons reasons = reasons("look up", i -> keys.get(i).text());
        workers.submit(calls.build(Op.QUERY, Mode.CREATE, false, deadline(options), keys.size(), keys::get, call -> {
            for (int item = 0; item < call.size(); item++) {
                call.expect(item, spec.lengths().stored(expected(expected, item)));
            }
            finish(call, reasons, answer);
        }));
    }

    @Override
    void deleting(List<? extends KvKey> keys, CallOptions options, Consumer<BatchResult> answer) {
        requireFeature(Feature.DELETE, "delete");
        Reasons reasons = reasons("delete", i -> keys.get(i).text());
        workers.submit(calls.build(
                Op.DELETE,
                Mode.CREATE,
                false,
                deadline(options),
                keys.size(),
                keys::get,
                call -> finish(call, reasons, answer)));
    }

    @Override
    public void list(String prefix, KeyVisitor visitor) {
        if (closed.get()) {
            throw new StorageException(Status.UNAVAILABLE, spec.name() + " is closed");
        }
        listing.run(prefix, visitor);
    }

    /** {@link #list(String, KeyVisitor)} of everything, which may take as long as {@code patience}. */
    public void listAll(Duration patience, KeyVisitor visitor) {
        listing.run("", patience, visitor);
    }

    @Override
    public StoreStatus status() {
        return StatusReport.of(spec, backend, workers, arena, health);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        census.stop();
        long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        boolean quiet = workers.close(deadline);
        if (!backend.drain(deadline) || !quiet) {
            LOG.error(
                    "{}: transfers still run {} s after close; their memory stays mapped until they end",
                    spec.name(),
                    CLOSE_PATIENCE.toSeconds());
        }
        try {
            if (!BoundedClose.within(BACKEND_PATIENCE.toNanos(), "nixlkv-close", backend::close)) {
                LOG.error(
                        "{}: the storage did not answer within {} s of close; what remains is cleaned up when it is opened next",
                        spec.name(),
                        BACKEND_PATIENCE.toSeconds());
            }
        } finally {
            release(workers, backend);
            endCompletions();
        }
    }
}
