package io.nixlkv.api;

import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The memory of a store's transfers: host memory, or that of a GPU, which is copied from and to and has no buffers. Thread-safe.
 */
public interface KvArena {
    /** {@link Segment#DRAM_SEG} for host memory, {@link Segment#VRAM_SEG} for that of a GPU. */
    default Segment kind() {
        return Segment.DRAM_SEG;
    }

    /** Total bytes. */
    long bytes();

    /** Bytes not leased now; a lease may still fail when they are scattered. */
    long freeBytes();

    /**
     * Leases memory for the caller until the lease is closed.
     *
     * @param bytes at least 1
     * @param patience how long to wait for others to give memory back; zero does not wait
     * @throws StorageException {@code INVALID} at once if the arena could never hold that much, {@code NO_SPACE} when patience
     *     runs out
     */
    ArenaLease lease(int bytes, Duration patience);

    /**
     * Leases this very memory, for pages that the application laid out itself in memory it owns. Never waits.
     *
     * @param place starts at a multiple of the arena's alignment
     * @throws StorageException {@code INVALID} if it is outside the arena or not aligned, {@code NO_SPACE} if part of it is lent,
     *     {@code UNSUPPORTED} if the arena lends only what it chooses
     */
    default ArenaLease lease(KvSlice place) {
        throw new StorageException(Status.UNSUPPORTED, "this arena does not lend chosen places; lease by size");
    }

    /**
     * The slice at an address of this process, or of its GPU, such as an engine's pointer to a page.
     *
     * @throws StorageException {@code INVALID} if it is not inside one segment, {@code UNSUPPORTED} if addresses are not known here,
     *     which is so without the native library
     */
    default KvSlice slice(long address, int length) {
        throw new StorageException(Status.UNSUPPORTED, "this arena does not know addresses; use slices");
    }

    /**
     * A view of a slice, position 0. Shares the arena's memory.
     *
     * @throws StorageException {@code INVALID} if the slice is outside the arena, {@code UNSUPPORTED} if it is memory of a GPU: copy
     */
    ByteBuffer buffer(KvSlice slice);

    /**
     * Copies a slice's first bytes into {@code into}, position to limit; its position moves to its limit. Works for any memory.
     *
     * @throws StorageException {@code INVALID} if the slice is outside the arena or shorter
     */
    default void copyOut(KvSlice slice, ByteBuffer into) {
        into.put(buffer(first(slice, into.remaining())));
    }

    /** Copies {@code from}, position to limit, to a slice's first bytes; else as {@link #copyOut}. */
    default void copyIn(KvSlice slice, ByteBuffer from) {
        buffer(first(slice, from.remaining())).put(from);
    }

    /** Copies a slice to the first bytes of another one that does not overlap it; else as {@link #copyOut}. */
    default void copyWithin(KvSlice slice, KvSlice to) {
        buffer(first(to, slice.length())).put(buffer(slice));
    }

    private static KvSlice first(KvSlice slice, int length) {
        if (length > slice.length()) {
            throw new StorageException(Status.INVALID, slice + " is shorter than the " + length + " bytes to copy");
        }
        return new KvSlice(slice.segment(), slice.offset(), length);
    }
}
