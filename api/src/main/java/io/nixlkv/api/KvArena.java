package io.nixlkv.api;

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
     * A view of a slice, position 0. Shares the arena's memory.
     *
     * @throws StorageException {@code INVALID} if the slice is outside the arena
     */
    ByteBuffer buffer(KvSlice slice);
}
