package io.nixlkv.host.store;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store with a descriptor per transfer: every object has a name of its own, and several processes may share the place. See {@link
 * KvStore} for the contract.
 */
public final class DynamicStore implements KvStore {
    /** Longer than anybody waits, and short enough for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
    private static final Duration BACKEND_PATIENCE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(DynamicStore.class);

    private final StoreSpec spec;
    private final StorageBackend backend;
    private final HostArena arena;
    private final Workers workers;
    private final CallBuilder calls;
    private final Listing listing;
    private final Health health = new Health();
    private final ExecutorService completions;
    private final ShardCensus census;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Runnable afterClose = () -> {};

    /**
     * Takes over the backend, also if the constructor fails.
     *
     * @throws StorageException if a lane cannot be opened
     */
    public DynamicStore(StoreSpec spec, StorageBackend backend, MemoryArena memory) {
        this.spec = spec;
        this.backend = backend;
        arena = new HostArena(memory, spec.arenaAlignment());
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
        completions = completions(spec.strategy());
        census = ShardCensus.start(spec, backend);
    }

    private static ExecutorService completions(String strategy) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                2,
                2,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread =
                            new Thread(task, "nixlkv-" + strategy.toLowerCase(java.util.Locale.ROOT) + "-completions");
                    thread.setDaemon(true);
                    return thread;
                },
                // a transfer that outlives close still answers, on the thread that ends it
                (task, shutDown) -> task.run());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public KvArena arena() {
        return arena;
    }

    @Override
    public KvKey key(String text) {
        return spec.layout().parseKey(text);
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        return onExecutor(future -> storing(objects, options, future));
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        return inline(future -> storing(objects, options, future));
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        return onExecutor(future -> loading(objects, options, future));
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        return inline(future -> loading(objects, options, future));
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        return onExecutor(future -> lookingUp(keys, options, expectedLengths, future));
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        return inline(future -> lookingUp(keys, options, expectedLengths, future));
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return onExecutor(future -> deleting(keys, options, future));
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        return inline(future -> deleting(keys, options, future));
    }

    private void storing(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
        boolean whole = orElse(options.atomicity(), spec.atomicity()) == Atomicity.ALL_OR_NOTHING;
        Mode mode = orElse(options.mode(), spec.mode());
        requireFeature(mode == Mode.CREATE ? Feature.CREATE : Feature.REPLACE, "write mode " + mode);
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

    private void loading(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer) {
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

    private void lookingUp(
            List<? extends KvKey> keys, CallOptions options, long[] expected, Consumer<BatchResult> answer) {
        if (expected.length > 1 && expected.length != keys.size()) {
            throw new StorageException(
                    Status.INVALID,
                    expected.length + " expected lengths for " + keys.size() + " keys; give none, one or all");
        }
        Reasons reasons = reasons("look up", i -> keys.get(i).text());
        workers.submit(calls.build(Op.QUERY, Mode.CREATE, false, deadline(options), keys.size(), keys::get, call -> {
            for (int item = 0; item < call.size(); item++) {
                call.expect(item, spec.lengths().stored(expected(expected, item)));
            }
            finish(call, reasons, answer);
        }));
    }

    private long expected(long[] lengths, int item) {
        return switch (lengths.length) {
            case 0 -> spec.objectBytes();
            case 1 -> lengths[0];
            default -> lengths[item];
        };
    }

    private void deleting(List<? extends KvKey> keys, CallOptions options, Consumer<BatchResult> answer) {
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

    /** Sets the slices of a call, padded where the layout pads; the padding of a store is zeros. */
    private void slices(Call call, List<KvObject> objects, boolean clearPadding) {
        LengthRule lengths = spec.lengths();
        for (int item = 0; item < objects.size(); item++) {
            KvSlice slice = objects.get(item).slice();
            requireLength(objects.get(item));
            int length = (int) lengths.stored(slice.length());
            arena.requireInside(slice, length);
            if (length != slice.length()) {
                if (slice.offset() % lengths.unit() != 0) {
                    throw new StorageException(
                            Status.INVALID,
                            slice + " of " + objects.get(item).key() + " must start at a multiple of l1_align_bytes ("
                                    + lengths.unit() + ") to be padded");
                }
                if (clearPadding) {
                    ByteBuffer padding = arena.memory()
                            .segment(slice.segment())
                            .slice(slice.offset() + slice.length(), length - slice.length());
                    padding.put(new byte[padding.remaining()]);
                }
            }
            call.slice(item, slice.segment(), slice.offset(), length);
        }
    }

    private void requireLength(KvObject object) {
        long max = spec.engine().can().maxObjectBytes();
        long length = object.slice().length();
        if (length < 1 || spec.lengths().stored(length) > max) {
            throw new StorageException(
                    Status.INVALID,
                    "object " + object.key() + " has " + length + " bytes; objects have 1 to " + max + " bytes here");
        }
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return bounced(key, value, options, (lease, patient) -> {
            lease.buffer().put(value.duplicate());
            return store(List.of(new KvObject(key, lease.slice(0, value.remaining()))), patient);
        });
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        return bounced(key, target, options, (lease, patient) -> {
            BatchResult result = load(List.of(new KvObject(key, lease.slice(0, target.remaining()))), patient);
            if (result.allOk()) {
                target.duplicate().put(lease.buffer().limit(target.remaining()));
            }
            return result;
        });
    }

    private interface Bounce {
        BatchResult through(ArenaLease lease, CallOptions options);
    }

    /** One object through leased memory; the wait for memory counts against the deadline. */
    private ObjectResult bounced(KvKey key, ByteBuffer buffer, CallOptions options, Bounce bounce) {
        long deadline = deadline(options);
        int length = buffer.remaining();
        if (length < 1) {
            throw new StorageException(Status.INVALID, "object " + key + " has no bytes; objects have at least 1");
        }
        ArenaLease lease;
        try {
            lease = arena.lease(
                    Math.toIntExact(spec.lengths().stored(length)), Duration.ofNanos(deadline - System.nanoTime()));
        } catch (StorageException full) {
            if (full.status() != Status.NO_SPACE) {
                throw full;
            }
            return new ObjectResult(Status.NO_SPACE, -1, key + " in " + spec.name() + ": " + full.getMessage());
        }
        try (lease) {
            long left = Math.max(1, deadline - System.nanoTime());
            return bounce.through(lease, options.with(Duration.ofNanos(left))).get(0);
        }
    }

    @Override
    public void list(String prefix, KeyVisitor visitor) {
        if (closed.get()) {
            throw new StorageException(Status.UNAVAILABLE, spec.name() + " is closed");
        }
        listing.run(prefix, visitor);
    }

    @Override
    public StoreStatus status() {
        return StatusReport.of(spec, backend, workers, arena, health);
    }

    private Reasons reasons(String verb, IntFunction<String> keyText) {
        return new Reasons(verb, spec.name(), spec.lengths(), keyText);
    }

    private void finish(Call call, Reasons reasons, Consumer<BatchResult> answer) {
        BatchResult result = call.results(reasons);
        for (ObjectResult object : result.results()) {
            health.record(object.status(), object.reason());
        }
        answer.accept(result);
    }

    private CompletableFuture<BatchResult> onExecutor(Consumer<Consumer<BatchResult>> start) {
        CompletableFuture<BatchResult> future = new CompletableFuture<>();
        start.accept(result -> completions.execute(() -> future.complete(result)));
        return future;
    }

    /** Nobody else can see the future, so the worker may complete it itself. */
    private BatchResult inline(Consumer<Consumer<BatchResult>> start) {
        CompletableFuture<BatchResult> future = new CompletableFuture<>();
        start.accept(future::complete);
        return future.join();
    }

    private long deadline(CallOptions options) {
        Duration wanted = orElse(options.deadline(), spec.deadline());
        return System.nanoTime() + (wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST).toNanos();
    }

    private void requireFeature(Feature feature, String what) {
        if (!spec.engine().can().has(feature)) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    what + " is not supported by engine " + spec.engine().engine() + " of " + spec.name());
        }
    }

    private static <T> T orElse(T given, T preset) {
        return given == null ? preset : given;
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
            completions.shutdown();
            afterClose.run();
        }
    }

    /** What its opener does once it is closed. */
    public void afterClose(Runnable action) {
        afterClose = action;
    }
}
