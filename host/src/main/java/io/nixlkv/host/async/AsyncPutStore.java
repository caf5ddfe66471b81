package io.nixlkv.host.async;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.async.Turns.Turn;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.layer.PartialResult;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a blocking store return as soon as its objects are copied into the arena; the writing goes on behind. The answer DONE means
 * accepted then, and a later failure shows in {@code status} and the log. The asynchronous form copies nothing, and its future tells
 * how the writing ended.
 *
 * <p>Bounded by the arena: a value for which no memory gets free before the deadline ends as NO_SPACE, and objects in the arena of
 * which no copy fits are written before the call returns. Puts and deletes of one key take effect in the order of their calls. A key
 * whose put is under way counts as present, and its load is served from the put's memory.
 */
public final class AsyncPutStore extends ForwardingStore {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Longer than anybody waits, and short enough for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Logger LOG = LoggerFactory.getLogger(AsyncPutStore.class);

    private final Duration deadline;
    private final Atomicity atomicity;
    private final LongUnaryOperator stored;
    private final Turns turns = new Turns();
    private final PendingPuts pending = new PendingPuts();
    private final LongAdder failures = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private volatile String lastFailure = "";

    /**
     * @param inner closed with this store
     * @param deadline of a call that gives none
     * @param atomicity of a call that gives none; all-or-nothing stores are never asynchronous
     * @param stored stored length of an object of a logical length
     */
    public AsyncPutStore(KvStore inner, Duration deadline, Atomicity atomicity, LongUnaryOperator stored) {
        super(inner);
        this.deadline = deadline;
        this.atomicity = atomicity;
        this.stored = stored;
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        return put(new BlockingPut.OfSlices(objects), options);
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return put(new BlockingPut.OfBuffer(key, value), options).get(0);
    }

    private BatchResult put(BlockingPut put, CallOptions options) {
        long end = end(options);
        List<KvKey> keys = put.keys();
        Turn turn = turns.take(keys);
        boolean goesOn = false;
        try {
            if (!turn.await(end)) {
                return all(keys, Status.TIMED_OUT, "an earlier call for the same key is still running");
            }
            int[] lengths = put.lengths();
            Optional<ArenaLease> copy;
            try {
                copy = isAsynchronous(options) ? lease(put, lengths, end) : Optional.empty();
            } catch (StorageException full) {
                if (full.status() == Status.NO_SPACE) {
                    return all(keys, Status.NO_SPACE, full.getMessage());
                }
                throw full;
            }
            if (copy.isEmpty()) {
                return put.write(inner(), left(options, end));
            }
            // The caller has its answer: what is left of its deadline is not the writing's.
            start(copied(put, keys, lengths, copy.get()), options.with(deadline), copy.get())
                    .whenComplete((result, refused) -> turn.close());
            goesOn = true;
            accepted.add(keys.size());
            return new BatchResult(Arrays.stream(lengths)
                    .mapToObj(length -> new ObjectResult(Status.DONE, length, ""))
                    .toList());
        } finally {
            if (!goesOn) {
                turn.close();
            }
        }
    }

    private boolean isAsynchronous(CallOptions options) {
        return (options.atomicity() == null ? atomicity : options.atomicity()) != Atomicity.ALL_OR_NOTHING;
    }

    /** Memory for a copy; none if the call had better write what it has. @throws StorageException NO_SPACE */
    private Optional<ArenaLease> lease(BlockingPut put, int[] lengths, long end) {
        long bytes = Arrays.stream(lengths).mapToLong(this::room).sum();
        if (bytes == 0 || bytes > Math.min(Integer.MAX_VALUE, arena().bytes() / 2)) {
            return Optional.empty();
        }
        long patience = put.waitsForMemory() ? Math.max(0, end - System.nanoTime()) : 0;
        try {
            return Optional.of(arena().lease((int) bytes, Duration.ofNanos(patience)));
        } catch (StorageException refused) {
            boolean never = refused.status() == Status.INVALID;
            if (never || refused.status() == Status.NO_SPACE && !put.waitsForMemory()) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** An aligned place that holds an object with the padding that the store puts behind it. */
    private long room(int length) {
        return (stored.applyAsLong(length) + MemoryArena.ALIGNMENT - 1) / MemoryArena.ALIGNMENT * MemoryArena.ALIGNMENT;
    }

    private List<KvObject> copied(BlockingPut put, List<KvKey> keys, int[] lengths, ArenaLease lease) {
        try {
            List<KvObject> objects = new ArrayList<>(lengths.length);
            long at = 0;
            for (int i = 0; i < lengths.length; i++) {
                KvSlice target = lease.slice((int) at, lengths[i]);
                put.copy(i, arena(), target);
                objects.add(new KvObject(keys.get(i), target));
                at += room(lengths[i]);
            }
            return objects;
        } catch (RuntimeException refused) {
            lease.close();
            throw refused;
        }
    }

    private static BatchResult all(List<KvKey> keys, Status status, String why) {
        return new BatchResult(keys.stream()
                .map(key -> new ObjectResult(status, -1, "store " + key + ": " + why))
                .toList());
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        return inTurn(objects.stream().map(KvObject::key).toList(), options, left -> start(objects, left, null));
    }

    private CompletableFuture<BatchResult> inTurn(
            List<? extends KvKey> keys,
            CallOptions options,
            Function<CallOptions, CompletableFuture<BatchResult>> call) {
        long end = end(options);
        Turn turn = turns.take(keys);
        CompletableFuture<BatchResult> results;
        if (turn.hasCome()) {
            try {
                results = call.apply(options);
            } catch (RuntimeException misuse) {
                turn.close();
                throw misuse;
            }
        } else {
            results = turn.come().thenComposeAsync(none -> call.apply(left(options, end)));
        }
        return results.whenComplete((result, refused) -> turn.close());
    }

    /**
     * Begins a put whose turn it is; from now on lookups see it.
     *
     * @param lease memory to give back at the end; {@code null} if it is the caller's
     */
    private CompletableFuture<BatchResult> start(List<KvObject> objects, CallOptions options, ArenaLease lease) {
        List<PendingPut> puts = objects.stream()
                .map(object -> new PendingPut(object.key(), arena(), object.slice()))
                .toList();
        pending.enter(puts);
        try {
            return inner().storeAsync(objects, options).whenComplete((result, refused) -> {
                if (lease != null) {
                    note(result, refused);
                }
                end(puts, lease);
            });
        } catch (RuntimeException refused) {
            end(puts, lease);
            throw refused;
        }
    }

    private void end(List<PendingPut> puts, ArenaLease lease) {
        pending.leave(puts);
        if (lease != null) {
            lease.close();
        }
    }

    private void note(BatchResult result, Throwable refused) {
        if (refused != null) {
            failed(1, refused.toString());
        } else if (!result.allOk()) {
            String why = result.results().stream()
                    .filter(object -> !object.ok())
                    .findFirst()
                    .map(ObjectResult::reason)
                    .orElse("");
            failed(result.size() - result.okCount(), why);
        }
    }

    private void failed(int count, String why) {
        lastFailure = Instant.now() + " " + why;
        failures.add(count);
        LOG.warn("{} object(s) of an asynchronous put were not stored: {}", count, why);
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        if (pending.isEmpty()) {
            return inner().lookup(keys, options, expectedLengths);
        }
        PartialResult part = underWay(keys, expectedLengths);
        return part.isWhole()
                ? part.result()
                : part.with(inner().lookup(part.rest(keys), options, part.rest(expectedLengths)));
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        if (pending.isEmpty()) {
            return inner().lookupAsync(keys, options, expectedLengths);
        }
        PartialResult part = underWay(keys, expectedLengths);
        return part.isWhole()
                ? CompletableFuture.completedFuture(part.result())
                : inner().lookupAsync(part.rest(keys), options, part.rest(expectedLengths))
                        .thenApply(part::with);
    }

    /** A lookup's keys, those under way answered. */
    private PartialResult underWay(List<? extends KvKey> keys, long[] expected) {
        PartialResult part = new PartialResult(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            PendingPut put = pending.get(keys.get(i));
            long wanted = expected.length == 0 ? 0 : expected.length == 1 ? expected[0] : expected[i];
            if (put != null && (wanted <= 0 || wanted == put.length())) {
                part.set(i, done(put));
            }
        }
        return part;
    }

    private static ObjectResult done(PendingPut put) {
        return new ObjectResult(Status.DONE, put.length(), "");
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        if (pending.isEmpty()) {
            return inner().load(objects, options);
        }
        PartialResult part = served(objects);
        return part.isWhole() ? part.result() : part.with(inner().load(part.rest(objects), options));
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        if (pending.isEmpty()) {
            return inner().loadAsync(objects, options);
        }
        PartialResult part = served(objects);
        return part.isWhole()
                ? CompletableFuture.completedFuture(part.result())
                : inner().loadAsync(part.rest(objects), options).thenApply(part::with);
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        PendingPut put = pending.get(key);
        return put != null && put.length() == target.remaining() && put.copyTo(target)
                ? done(put)
                : inner().load(key, target, options);
    }

    /** A load's objects, those under way copied from their puts. */
    private PartialResult served(List<KvObject> objects) {
        PartialResult part = new PartialResult(objects.size());
        for (int i = 0; i < objects.size(); i++) {
            KvObject object = objects.get(i);
            PendingPut put = pending.get(object.key());
            boolean fits = put != null && put.length() == object.slice().length();
            if (fits && put.copyTo(object.slice())) {
                part.set(i, done(put));
            }
        }
        return part;
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        long end = end(options);
        try (Turn turn = turns.take(keys)) {
            if (turn.await(end)) {
                return inner().delete(keys, left(options, end));
            }
        }
        return new BatchResult(keys.stream()
                .map(key -> new ObjectResult(
                        Status.TIMED_OUT, -1, "delete " + key + ": an earlier call for it is still running"))
                .toList());
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return inTurn(keys, options, left -> inner().deleteAsync(keys, left));
    }

    private long end(CallOptions options) {
        Duration wanted = options.deadline() == null ? deadline : options.deadline();
        return System.nanoTime() + (wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST).toNanos();
    }

    private static CallOptions left(CallOptions options, long end) {
        return options.with(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }

    @Override
    protected void describe(Map<String, Object> details) {
        details.put("async_put_accepted", accepted.sum());
        details.put("async_put_in_flight", pending.size());
        details.put("async_put_failures", failures.sum());
        if (!lastFailure.isEmpty()) {
            details.put("async_put_last_failure", lastFailure);
        }
    }

    /** Waits, within a bounded time, for puts under way. */
    @Override
    public void close() {
        long end = System.nanoTime() + CLOSE_NANOS;
        if (!turns.awaitAll(end)) {
            LOG.error("puts or deletes of {} key(s) still run at close; they may be lost", turns.size());
        }
        super.close();
    }
}
