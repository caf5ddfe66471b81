package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.TransferBatch.Mode;
import java.util.List;

/**
 * Blocking requests to one bucket or container through an SDK. Thread-safe. Names are full keys. Each request retries by itself as
 * configured, only while the calling thread's {@link Exchange} is not cancelled, and sends the same bytes each time. Failures are
 * thrown as the SDK throws them; {@link #explain} turns them into answers.
 */
public interface ObjectStore extends AutoCloseable {
    /** Writes a whole object. CREATE answers as {@link Answer#existing} if there is one; one of 0 bytes is replaced. */
    Answer put(String key, Slice body, Mode mode);

    /** Reads an object whose stored length must be that of the slice; otherwise nothing is written to the slice. */
    Answer get(String key, Slice target);

    /** Asks for the stored length. */
    Answer head(String key);

    /** Most keys of one {@link #delete}; above 1 the lane asks for the objects before, since such a request does not tell. */
    int deleteGroup();

    /** Deletes objects; one answer for each key, in order. */
    List<Answer> delete(List<String> keys);

    /** Uploads an object without making it visible. What a failure leaves behind is the store's to end. */
    Staged stage(String key, Slice body);

    /** Makes a staged object visible; forgets it in all other cases, failures included. */
    Answer publish(Staged staged, Mode mode);

    /** Forgets a staged object, or does nothing if there is none (any more). */
    void discard(Staged staged);

    /** Visits the objects whose key starts with {@code prefix}. */
    void list(String prefix, ObjectVisitor visitor);

    /** What a failed request to {@code key} means, with a sentence that says what to change. Secrets never appear. */
    Answer explain(Throwable failure);

    /** Releases connections. Idempotent. */
    @Override
    void close();
}
