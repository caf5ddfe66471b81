package io.nixlkv.host.presence;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.layer.PartialResult;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Answers lookups of known keys from memory. What is stored, loaded or found becomes known; what turns out to be missing is
 * forgotten, so that an object that somebody else deleted is reported at most until its next load. With {@code only}, what is not
 * known counts as missing, and no lookup reaches the storage.
 */
public final class PresenceStore extends ForwardingStore {
    private static final ObjectResult MISSING = new ObjectResult(Status.MISSING, -1, "");

    private final KeyDigests digests;
    private final PresenceCache known;
    private final boolean only;
    private final long objectBytes;
    private final LongUnaryOperator stored;
    private final Consumer<HashValue128> hit;

    /**
     * @param inner closed with this store
     * @param only whether the cache alone answers lookups
     * @param objectBytes length that lookups expect when the caller gives none; 0 means unknown
     * @param stored stored length of an object of a logical length
     * @param hit is told about each key that a lookup found here
     */
    public PresenceStore(
            KvStore inner,
            KeyDigests digests,
            PresenceCache known,
            boolean only,
            long objectBytes,
            LongUnaryOperator stored,
            Consumer<HashValue128> hit) {
        super(inner);
        this.digests = digests;
        this.known = known;
        this.only = only;
        this.objectBytes = objectBytes;
        this.stored = stored;
        this.hit = hit;
    }

    /** A lookup half done: what is answered, and what must be asked for. */
    private final class Lookup {
        private final HashValue128[] names;
        private final PartialResult part;
        private final long[] expected;

        Lookup(List<? extends KvKey> keys, long[] lengths) {
            if (lengths.length > 1 && lengths.length != keys.size()) {
                throw new StorageException(
                        Status.INVALID,
                        lengths.length + " expected lengths for " + keys.size() + " keys; give none, one or all");
            }
            expected = lengths;
            names = digests.of(keys);
            part = new PartialResult(keys.size());
            ObjectResult last = null;
            for (int i = 0; i < names.length; i++) {
                int length = known.length(names[i]);
                long wanted = stored.applyAsLong(expected(i));
                boolean fits = wanted <= 0 || length == 0 || length == wanted;
                if (length != PresenceCache.UNKNOWN && fits) {
                    int told = length == 0 ? -1 : length;
                    last = last != null && last.storedLength() == told ? last : new ObjectResult(Status.DONE, told, "");
                    part.set(i, last);
                    hit.accept(names[i]);
                } else if (only) {
                    part.set(i, length == PresenceCache.UNKNOWN ? MISSING : wrongSize(keys.get(i), length, wanted));
                }
            }
        }

        private static ObjectResult wrongSize(KvKey key, int length, long wanted) {
            return new ObjectResult(
                    Status.WRONG_SIZE,
                    length,
                    "look up " + key + ": stored are " + length + " bytes, wanted " + wanted);
        }

        private long expected(int item) {
            return expected.length == 0 ? objectBytes : expected.length == 1 ? expected[0] : expected[item];
        }

        BatchResult with(BatchResult answers) {
            part.fill(answers);
            for (int i = 0; i < names.length; i++) {
                if (!part.isHere(i)) {
                    learn(names[i], part.get(i), part.get(i).storedLength());
                }
            }
            return part.result();
        }
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        Lookup lookup = new Lookup(keys, expectedLengths);
        PartialResult part = lookup.part;
        return part.isWhole()
                ? part.result()
                : lookup.with(inner().lookup(part.rest(keys), options, part.rest(expectedLengths)));
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        Lookup lookup = new Lookup(keys, expectedLengths);
        PartialResult part = lookup.part;
        return part.isWhole()
                ? CompletableFuture.completedFuture(part.result())
                : inner().lookupAsync(part.rest(keys), options, part.rest(expectedLengths))
                        .thenApply(lookup::with);
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        return learn(objects, inner().store(objects, options));
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        return inner().storeAsync(objects, options).thenApply(result -> learn(objects, result));
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        ObjectResult result = inner().store(key, value, options);
        learn(digests.of(key), result, stored.applyAsLong(value.remaining()));
        return result;
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        return learn(objects, inner().load(objects, options));
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        return inner().loadAsync(objects, options).thenApply(result -> learn(objects, result));
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        ObjectResult result = inner().load(key, target, options);
        learn(digests.of(key), result, stored.applyAsLong(target.remaining()));
        return result;
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        forget(keys);
        BatchResult result = inner().delete(keys, options);
        forget(keys);
        return result;
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        forget(keys);
        return inner().deleteAsync(keys, options).whenComplete((result, refused) -> forget(keys));
    }

    private void forget(List<? extends KvKey> keys) {
        keys.forEach(key -> known.remove(digests.of(key)));
    }

    private BatchResult learn(List<KvObject> objects, BatchResult result) {
        for (int i = 0; i < objects.size(); i++) {
            KvObject object = objects.get(i);
            learn(
                    digests.of(object.key()),
                    result.get(i),
                    stored.applyAsLong(object.slice().length()));
        }
        return result;
    }

    /** What may have changed unseen is forgotten too. */
    private void learn(HashValue128 name, ObjectResult result, long length) {
        switch (result.status()) {
            case DONE, ALREADY_PRESENT -> known.add(name, (int) Math.max(0, length));
            case WRONG_SIZE -> {
                if (result.storedLength() > 0) {
                    known.add(name, (int) result.storedLength());
                } else {
                    known.remove(name);
                }
            }
            case MISSING, TIMED_OUT -> known.remove(name);
            case NO_SPACE, DENIED, INVALID, UNSUPPORTED, THROTTLED, UNAVAILABLE, FAILED -> {
                // nothing about the object
            }
        }
    }

    @Override
    protected void describe(Map<String, Object> details) {
        details.put("presence_cache_keys", known.size());
        details.put("presence_cache_bytes", known.bytes());
        details.put("presence_cache_forgone", known.forgone());
        details.put("presence_cache_only", only);
    }
}
