package io.nixlkv.host.capacity;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Keeps a store within a number of bytes. At the limit an object is refused as NO_SPACE at once, whatever the eviction behind does:
 * it starts at the watermark, deletes in bulk, and leaves alone what was used within the lease or is being read.
 */
public final class CapacityStore extends ForwardingStore {
    private final CapacitySettings settings;
    private final KeyDigests digests;
    private final Atomicity atomicity;
    private final LongUnaryOperator stored;
    private final Ledger ledger = new Ledger();
    private final Evictor evictor;
    private final LongAdder refused = new LongAdder();

    /**
     * @param inner closed with this store
     * @param census lists {@code inner}
     * @param atomicity of stores that give none
     * @param stored stored length of an object of a logical length
     * @param gone is told about each evicted object, on the evicting thread
     */
    public CapacityStore(
            KvStore inner,
            Census census,
            CapacitySettings settings,
            KeyDigests digests,
            Atomicity atomicity,
            LongUnaryOperator stored,
            Consumer<KvKey> gone) {
        super(inner);
        this.settings = settings;
        this.digests = digests;
        this.atomicity = atomicity;
        this.stored = stored;
        evictor = new Evictor(inner, census, settings, digests, ledger, gone);
        evictor.start();
    }

    /** Room taken for some objects of a store call. */
    private final class Room {
        private final List<KvObject> fitting = new ArrayList<>();
        private final HashValue128[] names;
        private final boolean[] fits;
        private final List<KvObject> all;
        private final boolean whole;
        private long bytes;

        Room(List<KvObject> objects, CallOptions options) {
            all = objects;
            names = digests.of(objects.size(), i -> objects.get(i).key());
            fits = new boolean[names.length];
            whole = (options.atomicity() == null ? atomicity : options.atomicity()) == Atomicity.ALL_OR_NOTHING;
            for (int i = 0; i < fits.length; i++) {
                fits[i] = take(names[i], stored(objects.get(i)));
                if (fits[i]) {
                    fitting.add(objects.get(i));
                }
            }
            if (whole && fitting.size() < fits.length) {
                giveUp();
                bytes = 0;
                fitting.clear();
                java.util.Arrays.fill(fits, false);
            }
            if (fitting.size() < fits.length) {
                evictor.refused();
            } else if (evictor.isOverWatermark()) {
                evictor.makeRoom();
            }
        }

        /** The use is noted before the object can be seen. */
        private boolean take(HashValue128 name, long length) {
            if (!ledger.knows(name)) {
                if (!ledger.reserve(length, settings.maxBytes())) {
                    return false;
                }
                bytes += length;
            }
            ledger.use(name, false);
            return true;
        }

        /** Nothing is stored. */
        void giveUp() {
            ledger.release(bytes);
            for (HashValue128 name : names) {
                ledger.forget(name, settings.lease());
            }
        }

        BatchResult end(BatchResult results) {
            List<ObjectResult> merged = new ArrayList<>(fits.length);
            for (int i = 0, next = 0; i < fits.length; i++) {
                if (!fits[i]) {
                    merged.add(noSpace(all.get(i).key()));
                    continue;
                }
                ObjectResult result = results.get(next++);
                merged.add(result);
                if (result.ok()) {
                    ledger.use(names[i], false);
                    ledger.put(names[i], stored(all.get(i)));
                } else {
                    ledger.forget(names[i], settings.lease());
                }
            }
            ledger.release(bytes);
            if (evictor.isOverWatermark()) {
                evictor.makeRoom();
            }
            return new BatchResult(merged);
        }
    }

    private long stored(KvObject object) {
        return stored.applyAsLong(object.slice().length());
    }

    private ObjectResult noSpace(KvKey key) {
        refused.increment();
        return new ObjectResult(
                Status.NO_SPACE,
                -1,
                "store " + key + ": skipped, max_capacity_gb (" + settings.maxBytes() + " bytes) is used up"
                        + (settings.evicts()
                                ? "; room is being made"
                                : "; delete objects, raise it or set eviction = \"lru\""));
    }

    @Override
    public BatchResult store(List<KvObject> objects, CallOptions options) {
        Room room = new Room(objects, options);
        BatchResult none = new BatchResult(List.of());
        try {
            return room.end(room.fitting.isEmpty() ? none : inner().store(room.fitting, options));
        } catch (RuntimeException misuse) {
            room.giveUp();
            throw misuse;
        }
    }

    @Override
    public CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options) {
        Room room = new Room(objects, options);
        if (room.fitting.isEmpty()) {
            return CompletableFuture.completedFuture(room.end(new BatchResult(List.of())));
        }
        try {
            return inner().storeAsync(room.fitting, options)
                    .whenComplete((results, failed) -> {
                        if (failed != null) {
                            room.giveUp();
                        }
                    })
                    .thenApply(room::end);
        } catch (RuntimeException misuse) {
            room.giveUp();
            throw misuse;
        }
    }

    @Override
    public ObjectResult store(KvKey key, ByteBuffer value, CallOptions options) {
        HashValue128 name = digests.of(key);
        long length = stored.applyAsLong(value.remaining());
        boolean known = ledger.knows(name);
        if (!known && !ledger.reserve(length, settings.maxBytes())) {
            evictor.refused();
            return noSpace(key);
        }
        ledger.use(name, false);
        try {
            ObjectResult result = inner().store(key, value, options);
            if (result.ok()) {
                ledger.use(name, false);
                ledger.put(name, length);
            }
            return result;
        } finally {
            ledger.release(known ? 0 : length);
            ledger.forget(name, settings.lease());
            if (evictor.isOverWatermark()) {
                evictor.makeRoom();
            }
        }
    }

    @Override
    public BatchResult load(List<KvObject> objects, CallOptions options) {
        HashValue128[] names = digests.of(objects.size(), i -> objects.get(i).key());
        reading(names);
        try {
            return loaded(names, inner().load(objects, options));
        } finally {
            read(names);
        }
    }

    @Override
    public CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options) {
        HashValue128[] names = digests.of(objects.size(), i -> objects.get(i).key());
        reading(names);
        try {
            return inner().loadAsync(objects, options)
                    .thenApply(result -> loaded(names, result))
                    .whenComplete((result, failed) -> read(names));
        } catch (RuntimeException misuse) {
            read(names);
            throw misuse;
        }
    }

    @Override
    public ObjectResult load(KvKey key, ByteBuffer target, CallOptions options) {
        HashValue128[] name = {digests.of(key)};
        reading(name);
        try {
            return loaded(name, new BatchResult(List.of(inner().load(key, target, options))))
                    .get(0);
        } finally {
            read(name);
        }
    }

    private void reading(HashValue128[] names) {
        for (HashValue128 name : names) {
            ledger.reading(name);
        }
    }

    /** What is not there is not used. */
    private BatchResult loaded(HashValue128[] names, BatchResult result) {
        for (int i = 0; i < names.length; i++) {
            if (result.get(i).ok() || ledger.knows(names[i])) {
                ledger.use(names[i], true);
            }
        }
        return result;
    }

    private void read(HashValue128[] names) {
        for (HashValue128 name : names) {
            ledger.read(name);
        }
    }

    @Override
    public BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        touch(keys);
        return found(keys, inner().lookup(keys, options, expectedLengths));
    }

    @Override
    public CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        touch(keys);
        return inner().lookupAsync(keys, options, expectedLengths).thenApply(result -> found(keys, result));
    }

    /** The lease of a looked-up object begins before the question, so that the answer holds. */
    private void touch(List<? extends KvKey> keys) {
        for (KvKey key : keys) {
            HashValue128 name = digests.of(key);
            if (ledger.knows(name)) {
                ledger.use(name, true);
            }
        }
    }

    /** The lease of what was found but is not in the account: another process stored it, or the first count still runs. */
    private BatchResult found(List<? extends KvKey> keys, BatchResult result) {
        for (int i = 0; i < keys.size(); i++) {
            if (result.get(i).ok()) {
                ledger.use(digests.of(keys.get(i)), true);
            }
        }
        return result;
    }

    /** The lease of objects that something in front of this store has answered for. */
    public void used(HashValue128 name) {
        ledger.use(name, true);
    }

    /** Objects whose last use is remembered. */
    int uses() {
        return ledger.uses();
    }

    /**
     * Waits until what is there is counted, and room is made if the store is too full already. Afterwards, if this throws, the store
     * must not be used.
     *
     * @throws StorageException TIMED_OUT, or UNAVAILABLE if it could not be counted
     */
    public void awaitCount(Duration patience) {
        if (!evictor.awaitStart(patience)) {
            evictor.close();
            throw new StorageException(
                    Status.TIMED_OUT,
                    "max_capacity_gb is set, and what the store holds was not counted within " + patience.toMillis()
                            + " ms; make deadline_ms larger");
        }
        if (evictor.phase() == Evictor.Phase.FAILED) {
            evictor.close();
            throw new StorageException(
                    Status.UNAVAILABLE,
                    "max_capacity_gb is set, and what the store holds cannot be counted: " + evictor.lastFailure());
        }
    }

    /** Something behind this store has deleted an object. */
    public void gone(KvKey key) {
        ledger.remove(digests.of(key));
    }

    @Override
    public BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        return deleted(keys, inner().delete(keys, options));
    }

    @Override
    public CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options) {
        return inner().deleteAsync(keys, options).thenApply(result -> deleted(keys, result));
    }

    private BatchResult deleted(List<? extends KvKey> keys, BatchResult result) {
        for (int i = 0; i < keys.size(); i++) {
            Status status = result.get(i).status();
            if (status == Status.DONE || status == Status.MISSING) {
                ledger.remove(digests.of(keys.get(i)));
            }
        }
        return result;
    }

    @Override
    protected void describe(Map<String, Object> details) {
        details.put("max_capacity_bytes", settings.maxBytes());
        details.put("used_bytes", settings.counts() ? ledger.used() : "not counted in a single command");
        details.put("used_objects", settings.counts() ? ledger.objects() : "not counted in a single command");
        details.put("capacity_phase", evictor.phase().toString().toLowerCase(java.util.Locale.ROOT));
        details.put("capacity_counted_objects", ledger.countedSoFar());
        details.put("capacity_refused_objects", refused.sum());
        details.put("eviction", settings.evicts() ? "lru" : "none: stores are refused when max_capacity_gb is used up");
        details.put("evicted_objects", evictor.evictedObjects());
        details.put("evicted_bytes", evictor.evictedBytes());
        if (!evictor.lastFailure().isEmpty()) {
            details.put("capacity_last_failure", evictor.lastFailure());
        }
    }

    @Override
    public void close() {
        evictor.close();
        super.close();
    }
}
