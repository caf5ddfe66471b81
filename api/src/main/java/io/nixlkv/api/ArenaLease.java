package io.nixlkv.api;

import java.nio.ByteBuffer;

/**
 * Memory lent by a {@link KvArena}. Closing gives it back, once no transfer touches it any more: memory of a call that timed out
 * while the store was stuck is reused only after the store let go of it. Closing is idempotent.
 */
public interface ArenaLease extends AutoCloseable {
    /** The whole lease. */
    KvSlice slice();

    /**
     * A part of the lease.
     *
     * @throws IndexOutOfBoundsException if it is not inside
     */
    default KvSlice slice(int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, slice().length());
        return new KvSlice(slice().segment(), slice().offset() + offset, length);
    }

    /**
     * A view of the whole lease, position 0. Not to be used after close.
     *
     * @throws io.nixlkv.spi.StorageException {@code UNSUPPORTED} if it is memory of a GPU: copy
     */
    ByteBuffer buffer();

    /**
     * Copies from {@code offset} on into {@code into}, position to limit; its position moves to its limit. Works for any memory.
     *
     * @throws IndexOutOfBoundsException if the bytes are not inside
     */
    default void copyOut(int offset, ByteBuffer into) {
        into.put(buffer().slice(offset, into.remaining()));
    }

    /** Copies {@code from}, position to limit, to {@code offset}; else as {@link #copyOut}. */
    default void copyIn(int offset, ByteBuffer from) {
        buffer().slice(offset, from.remaining()).put(from);
    }

    @Override
    void close();
}
