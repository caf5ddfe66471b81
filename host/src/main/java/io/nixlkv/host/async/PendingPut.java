package io.nixlkv.host.async;

import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvSlice;
import java.nio.ByteBuffer;

/** One object of an asynchronous put under way. Thread-safe. */
final class PendingPut {
    private final KvKey key;
    private final KvArena arena;
    private final KvSlice value;
    private boolean released;

    /** @param value in {@code arena}; shared, not copied, until {@link #release} */
    PendingPut(KvKey key, KvArena arena, KvSlice value) {
        this.key = key;
        this.arena = arena;
        this.value = value;
    }

    KvKey key() {
        return key;
    }

    int length() {
        return value.length();
    }

    /** Copies the value to the position of {@code target}, which has its length. False if the memory is no longer this put's. */
    synchronized boolean copyTo(ByteBuffer target) {
        if (released) {
            return false;
        }
        arena.copyOut(value, target.duplicate());
        return true;
    }

    /** The same for another place in the arena. */
    synchronized boolean copyTo(KvSlice target) {
        if (released) {
            return false;
        }
        if (!value.equals(target)) {
            arena.copyWithin(value, target);
        }
        return true;
    }

    /** Nobody reads the value any more from now on. */
    synchronized void release() {
        released = true;
    }
}
