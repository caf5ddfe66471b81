package io.nixlkv.spi;

/** Equal slots, opened and registered once. Thread-safe; closing keeps the contents. */
public interface SlotPool extends AutoCloseable {
    /** Number of slots under each root. */
    int count();

    /** Bytes of a slot; an item may use fewer. */
    int slotBytes();

    /** A number by which native code knows the pool; 0 where there is none. */
    default long handle() {
        return 0;
    }

    /**
     * Whether the storage had lost a slot when the pool was opened. Reads of a lost slot end as {@link Status#MISSING} until it is
     * written. Cheap.
     *
     * @param slot number under {@code root}
     */
    default boolean isLost(int root, int slot) {
        return false;
    }

    @Override
    void close();
}
