package io.nixlkv.api;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The memory of a store's transfers. Thread-safe. */
public interface KvArena {
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
     * The slice at an address of this process, such as an engine's pointer to a page.
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
     * @throws StorageException {@code INVALID} if the slice is outside the arena
     */
    ByteBuffer buffer(KvSlice slice);
}
