package io.nixlkv.host.local;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.layer.PartialResult;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;

/**
 * Keeps recently used objects in the arena: a load of one is a copy in memory, and a lookup of one is answered without asking. Stores
 * write through, and an object is kept when the storage has acknowledged it; a delete or a replacement by this store takes effect here
 * before it returns.
 *
 * <p>What other processes replace or delete is not noticed: an object that is kept is served as it was. Thread-safe.
 */
public final class LocalCacheStore extends ForwardingStore {
    private final KeyDigests digests;
    private final LocalCache cache;
    private final Mode mode;
    private final long objectBytes;
    private final LongUnaryOperator stored;
    private final Hits hits;

    /** Is told about each object that was served from memory, so that the storage counts it as used. */
    public interface Hits {
        /** @param name digest of the key's name */
        void on(KvKey key, HashValue128 name);
    }

    /**
     * @param inner closed with this store
     * @param mode write mode of calls that give none
     * @param objectBytes length that lookups expect when the caller gives none; 0 means unknown
     * @param stored stored length of an object of a logical length
     */
    public LocalCacheStore(
            KvStore inner,
            KeyDigests digests,
            LocalCache cache,
            Mode mode,
            long objectBytes,
            LongUnaryOperator stored,
            Hits hits) {
        super(inner);
        this.digests = digests;
        this.cache = cache;
        this.mode = mode;
        this.objectBytes = objectBytes;
        this.stored = stored;
        this.hits = hits;
    }

    private ObjectResult done(KvKey key, HashValue128 name, int length) {
        hits.on(key, name);
        return new ObjectResult(Status.DONE, stored.applyAsLong(length), "");
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        Load load = new Load(objects);
        if (load.part.isWhole()) {
            return load.part.result();
        }
        try {
            return load.with(inner().load(load.part.rest(objects), options));
        } finally {
            load.abandon();
        }
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        Load load = new Load(objects);
        if (load.part.isWhole()) {
            return CompletableFuture.completedFuture(load.part.result());
        }
        CompletableFuture<BatchResult> rest;
        try {
            rest = inner().loadAsync(load.part.rest(objects), options);
        } catch (RuntimeException refused) {
            load.abandon();
            throw refused;
        }
        return rest.thenApply(load::with).whenComplete((result, refused) -> load.abandon());
    }

    /** A load whose kept objects are copied; the others are kept when they come. */
    private final class Load {
        private final List<KvObject> objects;
        private final PartialResult part;
        private final LocalCache.Fill[] fills;

        Load(List<KvObject> objects) {
            this.objects = objects;
            HashValue128[] names =
                    digests.of(objects.size(), i -> objects.get(i).key());
            List<ByteBuffer> targets = objects.stream()
                    .map(object -> arena().buffer(object.slice()))
                    .toList();
            part = new PartialResult(objects.size());
            fills = new LocalCache.Fill[objects.size()];
            for (int i = 0; i < fills.length; i++) {
                ByteBuffer target = targets.get(i);
                if (cache.copy(names[i], target)) {
                    part.set(i, done(objects.get(i).key(), names[i], target.remaining()));
                } else {
                    fills[i] = cache.beginLoad(names[i]);
                }
            }
        }

        BatchResult with(BatchResult rest) {
            part.fill(rest);
            for (int i = 0; i < fills.length; i++) {
                boolean loaded = part.get(i).status() == Status.DONE;
                cache.end(fills[i], loaded ? arena().buffer(objects.get(i).slice()) : null);
                fills[i] = null;
            }
            return part.result();
        }

        void abandon() {
            for (LocalCache.Fill fill : fills) {
                cache.end(fill, null);
            }
        }
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        HashValue128 name = digests.of(key);
        if (target.hasRemaining() && cache.copy(name, target)) {
            return done(key, name, target.remaining());
        }
        LocalCache.Fill fill = cache.beginLoad(name);
        ByteBuffer loaded = null;
        try {
            ObjectResult result = inner().load(key, target, options);
            loaded = result.status() == Status.DONE ? target.duplicate() : null;
            return result;
        } finally {
            cache.end(fill, loaded);
        }
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        PartialResult part = known(keys, expectedLengths);
        return part.isWhole()
                ? part.result()
                : part.with(inner().lookup(part.rest(keys), options, part.rest(expectedLengths)));
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        PartialResult part = known(keys, expectedLengths);
        return part.isWhole()
                ? CompletableFuture.completedFuture(part.result())
                : inner().lookupAsync(part.rest(keys), options, part.rest(expectedLengths))
                        .thenApply(part::with);
    }

    private PartialResult known(List<? extends KvKey> keys, long[] expected) {
        if (expected.length > 1 && expected.length != keys.size()) {
            throw new StorageException(
                    Status.INVALID,
                    expected.length + " expected lengths for " + keys.size() + " keys; give none, one or all");
        }
        HashValue128[] names = digests.of(keys);
        PartialResult part = new PartialResult(names.length);
        for (int i = 0; i < names.length; i++) {
            int length = cache.length(names[i]);
            long wanted = expected.length == 0 ? objectBytes : expected.length == 1 ? expected[0] : expected[i];
            if (length >= 0 && (wanted <= 0 || stored.applyAsLong(wanted) == stored.applyAsLong(length))) {
                part.set(i, done(keys.get(i), names[i], length));
            }
        }
        return part;
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        Change change = new Change(objects.stream().map(KvObject::key).toList(), replaces(options));
        try {
            BatchResult result = inner().store(objects, options);
            change.stored(objects, result);
            return result;
        } finally {
            change.abandon();
        }
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        Change change = new Change(objects.stream().map(KvObject::key).toList(), replaces(options));
        CompletableFuture<BatchResult> storing;
        try {
            storing = inner().storeAsync(objects, options);
        } catch (RuntimeException refused) {
            change.abandon();
            throw refused;
        }
        return storing.thenApply(result -> {
                    change.stored(objects, result);
                    return result;
                })
                .whenComplete((result, refused) -> change.abandon());
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        Change change = new Change(List.of(key), replaces(options));
        try {
            ObjectResult result = inner().store(key, value, options);
            change.end(0, outcome(result.status()), value);
            return result;
        } finally {
            change.abandon();
        }
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        Change change = new Change(keys, true);
        try {
            BatchResult result = inner().delete(keys, options);
            change.deleted(result);
            return result;
        } finally {
            change.abandon();
        }
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        Change change = new Change(keys, true);
        CompletableFuture<BatchResult> deleting;
        try {
            deleting = inner().deleteAsync(keys, options);
        } catch (RuntimeException refused) {
            change.abandon();
            throw refused;
        }
        return deleting.thenApply(result -> {
                    change.deleted(result);
                    return result;
                })
                .whenComplete((result, refused) -> change.abandon());
    }

    private boolean replaces(CallOptions options) {
        return (options.mode() == null ? mode : options.mode()) == Mode.REPLACE;
    }

    private static LocalCache.Outcome outcome(Status written) {
        return switch (written) {
            case DONE -> LocalCache.Outcome.WRITTEN;
            case ALREADY_PRESENT -> LocalCache.Outcome.UNTOUCHED;
            case TIMED_OUT -> LocalCache.Outcome.UNKNOWN;
            default -> LocalCache.Outcome.CHANGED;
        };
    }

    /** Writes or deletes under way. */
    private final class Change {
        private final LocalCache.Write[] writes;

        Change(List<? extends KvKey> keys, boolean replaces) {
            HashValue128[] names = digests.of(keys);
            writes = new LocalCache.Write[names.length];
            for (int i = 0; i < names.length; i++) {
                writes[i] = cache.beginWrite(names[i], replaces);
            }
        }

        void stored(List<KvObject> objects, BatchResult result) {
            for (int i = 0; i < writes.length; i++) {
                end(
                        i,
                        outcome(result.get(i).status()),
                        arena().buffer(objects.get(i).slice()));
            }
        }

        void deleted(BatchResult result) {
            for (int i = 0; i < writes.length; i++) {
                boolean unknown = result.get(i).status() == Status.TIMED_OUT;
                end(i, unknown ? LocalCache.Outcome.UNKNOWN : LocalCache.Outcome.CHANGED, null);
            }
        }

        void end(int item, LocalCache.Outcome outcome, ByteBuffer written) {
            LocalCache.Write write = writes[item];
            writes[item] = null;
            cache.end(write, outcome, written);
        }

        /** Ends what has not ended. */
        void abandon() {
            for (int i = 0; i < writes.length; i++) {
                end(i, LocalCache.Outcome.CHANGED, null);
            }
        }
    }

    @Override
    protected void describe(Map<String, Object> details) {
        cache.describe(details);
    }

    @Override
    public void close() {
        cache.close();
        super.close();
    }
}
