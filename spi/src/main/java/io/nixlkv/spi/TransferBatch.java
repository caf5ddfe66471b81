package io.nixlkv.spi;

import java.nio.ByteBuffer;

/**
 * One tile of work as a lane sees it. The host owns, fills and reuses it; a lane only reads the request and completes its items,
 * from any thread, each exactly once, before {@link Lane#execute} returns.
 *
 * <p>No object exists per item: {@link #name}, {@link #slice} allocate and serve pure Java and SDK engines; native engines hand
 * {@link #packed()} down in one call.
 */
public interface TransferBatch {

    /** What happens to every item. */
    enum Op {
        /** Writes an object from its slice and makes it visible. */
        WRITE,
        /** Reads an object of exactly {@link #length} bytes into its slice. */
        READ,
        /** Asks for an object's stored length. */
        QUERY,
        /** Deletes an object. Deleting an absent object is {@link Status#MISSING}. */
        DELETE,
        /** Writes an object from its slice, invisible yet; a DONE item has a {@link #token}. Needs {@link Feature#STAGE}. */
        STAGE,
        /** Makes staged objects visible, each by its token, on any lane of the same backend. The token is spent, however it ends. */
        PUBLISH,
        /** Forgets staged objects, each by its token. */
        DISCARD
    }

    /** How WRITE and PUBLISH treat an existing object. Either way an object is whole or absent, also after kill -9 or on a full disk. */
    enum Mode {
        /** Never replaces: an existing object of equal length is ALREADY_PRESENT and untouched, of another length WRONG_SIZE. */
        CREATE,
        /** Replaces: readers see the old or the new object, never a mixture. */
        REPLACE
    }

    Op op();

    Mode mode();

    /** Whether a write is done only when data and name are on stable storage. */
    boolean durable();

    /** Number of items, 1 to {@link Capabilities#maxBatch()}. */
    int size();

    /** {@link System#nanoTime()} value after which no new work starts and the rest ends as {@link Status#TIMED_OUT}. */
    long deadline();

    /** {@code null}: items are names. Otherwise items are slots of this pool; only WRITE and READ occur then. */
    SlotPool pool();

    /** Slot of an item, below {@link SlotPool#count()}; only with a pool. */
    int slot(int item);

    /** Which configured directory or endpoint; 0 where there is one. */
    int root(int item);

    /** Relative name, checked by the host's layout, at most {@link Capabilities#maxNameBytes()} UTF-8 bytes. Allocates. */
    String name(int item);

    /**
     * Bytes, at least 1 for WRITE, STAGE and READ (the stored length must equal it; with a pool the slot's first bytes are meant).
     * PUBLISH: bytes of the staged object. QUERY, DELETE and DISCARD: 0.
     */
    int length(int item);

    /** Arena segment of the slice. */
    int segment(int item);

    /** Offset of the slice in its segment, bytes. */
    int offset(int item);

    /** Address of the slice; 0 without native code. */
    long address(int item);

    /**
     * A view of exactly the item's bytes, position 0. Allocates.
     *
     * @throws StorageException {@link Status#UNSUPPORTED} where the arena is memory of a device
     */
    ByteBuffer slice(int item);

    /** What STAGE answered with, for PUBLISH and DISCARD. */
    long token(int item);

    /** Request and result words in the form that {@link PackedBatch} documents. Direct; native byte order. */
    ByteBuffer packed();

    /**
     * Ends an item without a failure to explain.
     *
     * @param storedLength bytes in the store; -1 where it does not tell
     */
    void complete(int item, Status status, long storedLength);

    /** Ends a STAGE item as DONE, with the token that PUBLISH or DISCARD will bring. */
    void staged(int item, long token);

    /**
     * Ends an item with a failure.
     *
     * @param code errno or HTTP status, 0 if neither
     * @param sentence what failed and why, for people; the host adds key and store
     */
    void fail(int item, Status status, int code, String sentence);
}
