package io.nixlkv.host.store;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;

/**
 * What stores have in common, whatever holds their objects: blocking and asynchronous forms of each call, ordinary buffers through
 * leased memory, checks of slices, completions on an executor.
 */
abstract class TransferStore implements KvStore {
    /** Longer than anybody waits, and short enough for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    final StoreSpec spec;
    final HostArena arena;
    final Health health = new Health();
    private final ExecutorService completions;
    private final List<Runnable> whenReleased = new CopyOnWriteArrayList<>();

    TransferStore(StoreSpec spec, MemoryArena memory) {
        this.spec = spec;
        arena = new HostArena(memory, spec.arenaAlignment());
        completions = completions(spec.strategy());
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

    abstract void storing(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer);

    abstract void loading(List<KvObject> objects, CallOptions options, Consumer<BatchResult> answer);

    abstract void lookingUp(
            List<? extends KvKey> keys, CallOptions options, long[] expected, Consumer<BatchResult> answer);

    abstract void deleting(List<? extends KvKey> keys, CallOptions options, Consumer<BatchResult> answer);

    /** Longest object, bytes. */
    long maxObjectBytes() {
        return spec.engine().can().maxObjectBytes();
    }

    /** Where {@link #maxObjectBytes} comes from, to be said after the number. */
    String lengthHint() {
        return "";
    }

    /** The executor that completes futures. */
    final Executor completions() {
        return completions;
    }

    /** Runs what is left to complete; called last by close. */
    final void endCompletions() {
        completions.shutdown();
    }

    @Override
    public KvArena arena() {
        return arena;
    }

    /**
     * Whom the arena asks for memory when it has none left.
     *
     * @param giveBack closes leases of about that many bytes, and tells whether it did; must not wait for anything, nor take memory
     */
    public final void reclaimFrom(LongPredicate giveBack) {
        arena.reclaimFrom(giveBack);
    }

    /**
     * What is done once this store is closed and no lane touches its memory any more; never, if a lane never comes back.
     *
     * @param action must not throw
     */
    public final void whenReleased(Runnable action) {
        whenReleased.add(action);
    }

    /** To be called last by close; waits for nothing. */
    final void release(Workers workers, StorageBackend backend) {
        if (whenReleased.isEmpty()) {
            return;
        }
        workers.whenLeft(() -> {
            if (backend.drain(System.nanoTime())) {
                whenReleased.forEach(Runnable::run);
            }
        });
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

    static void requireExpected(List<? extends KvKey> keys, long[] expected) {
        if (expected.length > 1 && expected.length != keys.size()) {
            throw new StorageException(
                    Status.INVALID,
                    expected.length + " expected lengths for " + keys.size() + " keys; give none, one or all");
        }
    }

    final long expected(long[] lengths, int item) {
        return switch (lengths.length) {
            case 0 -> spec.objectBytes();
            case 1 -> lengths[0];
            default -> lengths[item];
        };
    }

    /** Sets the slices of a call, padded where the layout pads; the padding of a store is zeros. */
    final void slices(Call call, List<KvObject> objects, boolean clearPadding) {
        LengthRule lengths = spec.lengths();
        if (lengths.pads()) {
            Padding.requireFree(objects, lengths);
        }
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
                    arena.memory().clear(slice.segment(), slice.offset() + slice.length(), length - slice.length());
                }
            }
            call.slice(item, slice.segment(), slice.offset(), length);
        }
    }

    private void requireLength(KvObject object) {
        long max = maxObjectBytes();
        long length = object.slice().length();
        if (length < 1 || spec.lengths().stored(length) > max) {
            throw new StorageException(
                    Status.INVALID,
                    "object " + object.key() + " has " + length + " bytes; objects have 1 to " + max + " bytes here"
                            + lengthHint());
        }
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return bounced(key, value, options, (lease, patient) -> {
            lease.copyIn(0, value.duplicate());
            return store(List.of(new KvObject(key, lease.slice(0, value.remaining()))), patient);
        });
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        return bounced(key, target, options, (lease, patient) -> {
            BatchResult result = load(List.of(new KvObject(key, lease.slice(0, target.remaining()))), patient);
            if (result.allOk()) {
                lease.copyOut(0, target.duplicate());
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

    final Reasons reasons(String verb, IntFunction<String> keyText) {
        return new Reasons(verb, spec.name(), spec.lengths(), keyText);
    }

    final void finish(Call call, Reasons reasons, Consumer<BatchResult> answer) {
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

    final long deadline(CallOptions options) {
        Duration wanted = orElse(options.deadline(), spec.deadline());
        return System.nanoTime() + (wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST).toNanos();
    }

    final void requireFeature(Feature feature, String what) {
        requireFeature(feature, what, "");
    }

    /** @param remedy what to do instead, as the end of the sentence */
    final void requireFeature(Feature feature, String what, String remedy) {
        if (!spec.engine().can().has(feature)) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    what + " is not supported by engine " + spec.engine().engine() + " of " + spec.name() + remedy);
        }
    }

    static <T> T orElse(T given, T preset) {
        return given == null ? preset : given;
    }
}
