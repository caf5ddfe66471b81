package io.nixlkv.host.cleaner;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A store with a cleaner: notes which objects callers count on, so that the cleaner leaves them alone, and calls it when a file
 * system is full. Owns the cleaner.
 */
public final class CleaningStore extends ForwardingStore {
    private final Cleaner cleaner;
    private final Leases leases;
    private final KeyDigests digests;

    /**
     * @param inner closed with this store
     * @param cleaner started by the caller, closed with this store
     */
    public CleaningStore(KvStore inner, Cleaner cleaner, Leases leases, KeyDigests digests) {
        super(inner);
        this.cleaner = cleaner;
        this.leases = leases;
        this.digests = digests;
    }

    private BatchResult stored(BatchResult result) {
        for (ObjectResult object : result.results()) {
            stored(object);
        }
        return result;
    }

    private ObjectResult stored(ObjectResult object) {
        if (object.status() == Status.NO_SPACE) {
            cleaner.hurry();
        }
        return object;
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        return stored(inner().store(objects, options));
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        return inner().storeAsync(objects, options).thenApply(this::stored);
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return stored(inner().store(key, value, options));
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        HashValue128[] names = digests.of(objects.size(), i -> objects.get(i).key());
        leases.reading(names);
        try {
            return inner().load(objects, options);
        } finally {
            leases.read(names);
        }
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        HashValue128[] names = digests.of(objects.size(), i -> objects.get(i).key());
        leases.reading(names);
        try {
            return inner().loadAsync(objects, options).whenComplete((result, failed) -> leases.read(names));
        } catch (RuntimeException misuse) {
            leases.read(names);
            throw misuse;
        }
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        HashValue128[] name = {digests.of(key)};
        leases.reading(name);
        try {
            return inner().load(key, target, options);
        } finally {
            leases.read(name);
        }
    }

    /** What is asked for is left alone before the question, so that the answer holds; what is found is leased. */
    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        HashValue128[] names = digests.of(keys);
        leases.reading(names);
        try {
            return found(names, inner().lookup(keys, options, expectedLengths));
        } finally {
            leases.read(names);
        }
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        HashValue128[] names = digests.of(keys);
        leases.reading(names);
        try {
            return inner().lookupAsync(keys, options, expectedLengths)
                    .thenApply(result -> found(names, result))
                    .whenComplete((result, failed) -> leases.read(names));
        } catch (RuntimeException misuse) {
            leases.read(names);
            throw misuse;
        }
    }

    private BatchResult found(HashValue128[] names, BatchResult result) {
        leases.used(names, i -> result.get(i).status() == Status.DONE);
        return result;
    }

    @Override
    protected void describe(Map<String, Object> details) {
        details.put("cleaner", cleaner.describe());
    }

    @Override
    public void close() {
        cleaner.close();
        super.close();
    }
}
