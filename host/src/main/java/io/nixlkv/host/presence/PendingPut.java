package io.nixlkv.host.presence;

import io.nixlkv.api.KvKey;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** One object of an asynchronous put under way. Thread-safe. */
final class PendingPut {
    private final KvKey key;
    private final ByteBuffer value;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean released;

    /** @param value position 0 to limit; shared, not copied, until {@link #release} */
    PendingPut(KvKey key, ByteBuffer value) {
        this.key = key;
        this.value = value;
    }

    KvKey key() {
        return key;
    }

    int length() {
        return value.limit();
    }

    /** Copies the value to the position of {@code target}, which has its length. False if the memory is no longer this put's. */
    synchronized boolean copyTo(ByteBuffer target) {
        if (released) {
            return false;
        }
        target.duplicate().put(value.duplicate());
        return true;
    }

    /** Nobody reads the value any more from now on. */
    synchronized void release() {
        released = true;
    }

    /** Completes when the put has ended, well or not. */
    CompletableFuture<Void> ended() {
        return ended;
    }
}
