package io.nixlkv.host.layer;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.StoreStatus;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A store in front of another one, which it owns. Whatever a subclass does not change goes through. */
public abstract class ForwardingStore implements KvStore {
    private final KvStore inner;

    /** @param inner closed with this store */
    protected ForwardingStore(KvStore inner) {
        this.inner = inner;
    }

    /** The store behind. */
    protected final KvStore inner() {
        return inner;
    }

    /** Further fields of {@link #status}. */
    protected abstract void describe(Map<String, Object> details);

    @Override
    public KvArena arena() {
        return inner.arena();
    }

    @Override
    public KvKey key(String text) {
        return inner.key(text);
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        return inner.storeAsync(objects, options);
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        return inner.store(objects, options);
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        return inner.loadAsync(objects, options);
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        return inner.load(objects, options);
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        return inner.lookupAsync(keys, options, expectedLengths);
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        return inner.lookup(keys, options, expectedLengths);
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return inner.deleteAsync(keys, options);
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        return inner.delete(keys, options);
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        return inner.store(key, value, options);
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        return inner.load(key, target, options);
    }

    @Override
    public void list(String prefix, KeyVisitor visitor) {
        inner.list(prefix, visitor);
    }

    @Override
    public StoreStatus status() {
        StoreStatus status = inner.status();
        Map<String, Object> details = new LinkedHashMap<>(status.details());
        describe(details);
        return new StoreStatus(
                status.healthy(),
                status.type(),
                status.backend(),
                status.engine(),
                status.storageType(),
                status.numWorkers(),
                Collections.unmodifiableMap(details));
    }

    @Override
    public void close() {
        inner.close();
    }
}
