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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a blocking store return as soon as its objects are copied into the arena; the writing goes on behind. The answer DONE means
 * accepted then, and a later failure shows in {@code status} and the log. The asynchronous form copies nothing, and its future tells
 * how the writing ended.
 *
 * <p>Bounded by the arena: where no memory gets free before the deadline, the objects end as NO_SPACE. A key whose put is under way
 * counts as present, its load is served from the put's memory, and a delete or another put of it waits.
 */
public final class AsyncPutStore extends ForwardingStore {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(AsyncPutStore.class);

    private final Duration deadline;
    private final Atomicity atomicity;
    private final PendingPuts pending = new PendingPuts();
    private final LongAdder failures = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private volatile String lastFailure = "";

    /**
     * @param inner closed with this store
     * @param deadline of a call that gives none
     * @param atomicity of a call that gives none; all-or-nothing stores are never asynchronous
     */
    public AsyncPutStore(KvStore inner, Duration deadline, Atomicity atomicity) {
        super(inner);
        this.deadline = deadline;
        this.atomicity = atomicity;
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        Atomicity asked = options.atomicity() == null ? atomicity : options.atomicity();
        if (asked == Atomicity.ALL_OR_NOTHING || objects.isEmpty()) {
            return inner().store(objects, options);
        }
        List<KvKey> keys = objects.stream().map(KvObject::key).toList();
        int[] lengths = objects.stream().mapToInt(o -> o.slice().length()).toArray();
        return accept(
                keys, lengths, (i, target) -> arena().copyWithin(objects.get(i).slice(), target), options);
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return value.hasRemaining()
                ? accept(
                                List.of(key),
                                new int[] {value.remaining()},
                                (i, target) -> arena().copyIn(target, value.duplicate()),
                                options)
                        .get(0)
                : inner().store(key, value, options);
    }

    /** Puts the value of an object into memory of ours. */
    private interface Values {
        void copy(int index, KvSlice target);
    }

    private BatchResult accept(List<KvKey> keys, int[] lengths, Values values, CallOptions options) {
        long end = end(options);
        if (!pending.awaitIdle(keys, end)) {
            return late(keys);
        }
        long bytes = Arrays.stream(lengths).mapToLong(AsyncPutStore::rounded).sum();
        if (bytes > arena().bytes() / 2) {
            try (ArenaLease whole = lease(bytes, end)) {
                return inner().store(copied(keys, lengths, values, whole), left(options, end));
            } catch (StorageException full) {
                return noSpace(keys, full);
            }
        }
        ArenaLease lease;
        try {
            lease = lease(bytes, end);
        } catch (StorageException full) {
            return noSpace(keys, full);
        }
        List<KvObject> objects;
        try {
            objects = copied(keys, lengths, values, lease);
        } catch (RuntimeException refused) {
            lease.close();
            throw refused;
        }
        List<PendingPut> puts = puts(objects);
        if (!pending.enter(puts, end)) {
            lease.close();
            return late(keys);
        }
        // The caller has its answer: what is left of its deadline is not the writing's.
        start(puts, objects, options.with(deadline), lease);
        accepted.add(objects.size());
        return new BatchResult(Arrays.stream(lengths)
                .mapToObj(length -> new ObjectResult(Status.DONE, length, ""))
                .toList());
    }

    private static BatchResult late(List<KvKey> keys) {
        return all(keys, Status.TIMED_OUT, "an earlier put of the same key is still running");
    }

    private static BatchResult noSpace(List<KvKey> keys, StorageException full) {
        if (full.status() != Status.NO_SPACE) {
            throw full;
        }
        return all(keys, Status.NO_SPACE, full.getMessage());
    }

    private ArenaLease lease(long bytes, long end) {
        if (bytes > Integer.MAX_VALUE) {
            throw new StorageException(Status.INVALID, "a batch of " + bytes + " bytes is too large to be copied");
        }
        return arena().lease((int) bytes, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }

    private static long rounded(int bytes) {
        return (bytes + MemoryArena.ALIGNMENT - 1L) / MemoryArena.ALIGNMENT * MemoryArena.ALIGNMENT;
    }

    private static List<KvObject> copied(List<KvKey> keys, int[] lengths, Values values, ArenaLease lease) {
        List<KvObject> objects = new ArrayList<>(keys.size());
        int at = 0;
        for (int i = 0; i < keys.size(); i++) {
            KvSlice target = lease.slice(at, lengths[i]);
            values.copy(i, target);
            objects.add(new KvObject(keys.get(i), target));
            at += (int) rounded(lengths[i]);
        }
        return objects;
    }

    private static BatchResult all(List<KvKey> keys, Status status, String why) {
        return new BatchResult(keys.stream()
                .map(key -> new ObjectResult(status, -1, "store " + key + ": " + why))
                .toList());
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        List<PendingPut> puts = puts(objects);
        return pending.enter(puts)
                .map(other -> other.ended().thenCompose(none -> storeAsync(objects, options)))
                .orElseGet(() -> start(puts, objects, options, null));
    }

    private List<PendingPut> puts(List<KvObject> objects) {
        return objects.stream()
                .map(object -> new PendingPut(object.key(), arena(), object.slice()))
                .toList();
    }

    /**
     * @param puts entered for these objects
     * @param lease memory to give back at the end; {@code null} if it is the caller's
     */
    private CompletableFuture<BatchResult> start(
            List<PendingPut> puts, List<KvObject> objects, CallOptions options, ArenaLease lease) {
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
        puts.forEach(put -> put.ended().complete(null));
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
        if (!pending.awaitIdle(keys, end)) {
            return new BatchResult(keys.stream()
                    .map(key ->
                            new ObjectResult(Status.TIMED_OUT, -1, "delete " + key + ": a put of it is still running"))
                    .toList());
        }
        return inner().delete(keys, left(options, end));
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return pending.isEmpty()
                ? inner().deleteAsync(keys, options)
                : pending.whenIdle(keys).thenCompose(none -> inner().deleteAsync(keys, options));
    }

    private long end(CallOptions options) {
        return System.nanoTime() + (options.deadline() == null ? deadline : options.deadline()).toNanos();
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
        if (!pending.awaitAll(end)) {
            LOG.error("{} asynchronous put(s) still run at close; they may be lost", pending.size());
        }
        super.close();
    }
}
