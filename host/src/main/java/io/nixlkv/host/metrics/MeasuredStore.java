package io.nixlkv.host.metrics;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.layer.ForwardingStore;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;

/** Adds up what callers asked for and how it ended; {@code status} shows it as {@code totals}. Refused calls do not count. */
public final class MeasuredStore extends ForwardingStore {
    private static final IntToLongFunction NO_BYTES = item -> 0;

    private final CallTotals stores = new CallTotals();
    private final CallTotals loads = new CallTotals();
    private final CallTotals lookups = new CallTotals();
    private final CallTotals deletes = new CallTotals();

    /** @param inner closed with this store */
    public MeasuredStore(KvStore inner) {
        super(inner);
    }

    private static IntToLongFunction lengths(List<KvObject> objects) {
        return item -> objects.get(item).slice().length();
    }

    private static CompletableFuture<BatchResult> added(
            CallTotals totals, long start, CompletableFuture<BatchResult> call, IntToLongFunction length) {
        return call.thenApply(result -> {
            totals.add(start, result, length);
            return result;
        });
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        long start = System.nanoTime();
        BatchResult result = super.store(objects, options);
        stores.add(start, result, lengths(objects));
        return result;
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        long start = System.nanoTime();
        return added(stores, start, super.storeAsync(objects, options), lengths(objects));
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        long start = System.nanoTime();
        ObjectResult result = super.store(key, value, options);
        stores.add(start, result, value.remaining());
        return result;
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        long start = System.nanoTime();
        BatchResult result = super.load(objects, options);
        loads.add(start, result, lengths(objects));
        return result;
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        long start = System.nanoTime();
        return added(loads, start, super.loadAsync(objects, options), lengths(objects));
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        long start = System.nanoTime();
        ObjectResult result = super.load(key, target, options);
        loads.add(start, result, target.remaining());
        return result;
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        long start = System.nanoTime();
        BatchResult result = super.lookup(keys, options, expectedLengths);
        lookups.add(start, result, NO_BYTES);
        return result;
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        long start = System.nanoTime();
        return added(lookups, start, super.lookupAsync(keys, options, expectedLengths), NO_BYTES);
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        long start = System.nanoTime();
        BatchResult result = super.delete(keys, options);
        deletes.add(start, result, NO_BYTES);
        return result;
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        long start = System.nanoTime();
        return added(deletes, start, super.deleteAsync(keys, options), NO_BYTES);
    }

    @Override
    protected void describe(Map<String, Object> details) {
        Map<String, Map<String, Long>> totals = new LinkedHashMap<>();
        totals.put("store", stores.snapshot());
        totals.put("load", loads.snapshot());
        totals.put("lookup", lookups.snapshot());
        totals.put("delete", deletes.snapshot());
        details.put("totals", totals);
    }
}
