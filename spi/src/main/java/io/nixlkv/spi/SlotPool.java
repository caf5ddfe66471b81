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

    @Override
    void close();
}
