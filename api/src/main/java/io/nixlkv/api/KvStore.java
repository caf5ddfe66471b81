package io.nixlkv.api;

import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One open store. Thread-safe.
 *
 * <p>Every batch call answers per object, in order, within its deadline; one bad object never fails its neighbours. What is wrong
 * with the call itself (an empty batch, a key twice, a name that the layout refuses, a slice outside the arena) is a {@link
 * StorageException} before anything is written. Futures complete on an executor of the store's own and never exceptionally except
 * for such misuse.
 *
 * <p>Closing deletes nothing. Calls after close end with a {@link StorageException} of status UNAVAILABLE.
 */
public interface KvStore extends AutoCloseable {

    /** The memory of this store's transfers. */
    KvArena arena();

    /** The key of a text in this store's layout. @throws StorageException if the layout refuses it */
    KvKey key(String text);

    /** Stores objects. In mode CREATE an object that exists with equal length is {@code ALREADY_PRESENT} and untouched. */
    CompletableFuture<BatchResult> storeAsync(List<KvObject> objects, CallOptions options);

    /** Loads objects whose stored length equals their slice's. */
    CompletableFuture<BatchResult> loadAsync(List<KvObject> objects, CallOptions options);

    /**
     * Asks whether objects are there: DONE with the stored length, MISSING, or WRONG_SIZE. An error is never reported as missing.
     *
     * @param expectedLengths none, one for all keys, or one for each; 0 means unknown
     */
    CompletableFuture<BatchResult> lookupAsync(
            List<? extends KvKey> keys, CallOptions options, long... expectedLengths);

    /** Deletes objects; one that is not there is {@code MISSING}. */
    CompletableFuture<BatchResult> deleteAsync(List<? extends KvKey> keys, CallOptions options);

    /** Stores one object from any buffer, position to limit; the position is not moved. Waits for arena space within the deadline. */
    ObjectResult store(KvKey key, ByteBuffer value, CallOptions options);

    /** Loads one object into any buffer, position to limit; the position is not moved, the buffer untouched unless DONE. */
    ObjectResult load(KvKey key, ByteBuffer target, CallOptions options);

    /**
     * Visits the store's objects whose physical name starts with {@code prefix}, in no particular order. Names that are not of this
     * layout are left out.
     *
     * @throws StorageException if the store cannot list
     */
    void list(String prefix, KeyVisitor visitor);

    /** What it is and how it does, without secrets. Cheap. */
    StoreStatus status();

    /** {@link #storeAsync}, waited for. */
    default BatchResult store(List<KvObject> objects, CallOptions options) {
        return Blocking.await(storeAsync(objects, options));
    }

    /** {@link #loadAsync}, waited for. */
    default BatchResult load(List<KvObject> objects, CallOptions options) {
        return Blocking.await(loadAsync(objects, options));
    }

    /** {@link #lookupAsync}, waited for. */
    default BatchResult lookup(List<? extends KvKey> keys, CallOptions options, long... expectedLengths) {
        return Blocking.await(lookupAsync(keys, options, expectedLengths));
    }

    /** {@link #deleteAsync}, waited for. */
    default BatchResult delete(List<? extends KvKey> keys, CallOptions options) {
        return Blocking.await(deleteAsync(keys, options));
    }

    /** Waits, within a bounded time, for running transfers, and releases everything. Idempotent. */
    @Override
    void close();
}
