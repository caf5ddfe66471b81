package io.nixlkv.spi;

/** An open engine of one strategy. Thread-safe except where a method says otherwise. */
public interface StorageBackend extends AutoCloseable {
    /** How many directories or endpoints it serves; {@link TransferBatch#root(int)} is below this number. At least 1. */
    default int roots() {
        return 1;
    }

    /**
     * Opens a lane. The host holds at most {@link OpenContext#lanes()} open, one for each of its workers. What several lanes share
     * (clients, thread pools) belongs to the backend; a ring or a NIXL agent belongs to the lane.
     *
     * @throws StorageException if the backend is closed or the lane cannot be opened
     */
    Lane openLane();

    /**
     * Opens {@code count} slots of {@code slotBytes} each under every root, created when absent, contents kept. Which key is where
     * is the host's business. Needs {@link Feature#SLOTS}.
     *
     * @param name distinguishes pools; letters, digits, {@code -} and {@code _}
     * @throws StorageException if the pool cannot be opened; nothing half-made is left
     */
    SlotPool openPool(String name, int count, int slotBytes);

    /**
     * The same, with a layout. A pool is opened with the layout that it was made with. An engine without
     * {@link Feature#SLOT_FILES} has only {@link PoolLayout#SLAB}, whatever that is in its store.
     *
     * @throws StorageException UNSUPPORTED if the engine does not have the layout; else as the other method
     */
    default SlotPool openPool(String name, int count, int slotBytes, PoolLayout layout) {
        if (layout != PoolLayout.SLAB) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "pool " + name
                            + " cannot have a file for each slot: the engine does not offer it; use layout slab");
        }
        return openPool(name, count, slotBytes);
    }

    /**
     * Visits the committed objects of one root whose name starts with {@code prefix}, in no particular order; never temporaries,
     * pools or files of other tools' making that are not objects. Needs {@link Feature#LIST}.
     *
     * @param deadline {@link System#nanoTime()} value after which it ends with {@link Status#TIMED_OUT}
     * @throws StorageException if the root cannot be read, or at the deadline; an object that vanishes meanwhile is left out
     */
    void list(int root, String prefix, long deadline, ObjectVisitor visitor);

    /**
     * Removes what processes that ended without closing have left behind, such as temporaries; never anything of a live one. The
     * host asks from time to time; a failure is the backend's to log, since leftovers only cost space. By default nothing.
     *
     * @param deadline {@link System#nanoTime()} value; what is left then stays for the next time
     */
    default void sweep(long deadline) {}

    /** What a person or a monitor wants to know about it now; never secrets. Cheap. */
    default BackendReport report() {
        return BackendReport.EMPTY;
    }

    /**
     * Called when all lanes are closed: waits until nothing touches the arena any more.
     *
     * @param deadline {@link System#nanoTime()} value
     * @return false if something still runs at the deadline; the host then never releases the arena
     */
    boolean drain(long deadline);

    /** Releases everything. Idempotent; a lane of a closed backend fails every item with {@link Status#UNAVAILABLE}. */
    @Override
    void close();
}
