package io.nixlkv.spi;

/** How the slots of a {@link SlotPool} lie in a store of files. */
public enum PoolLayout {
    /** One file with all slots under each root. */
    SLAB,
    /** A file for each slot, as LMCache has it; every file is kept open. Needs {@link Feature#SLOT_FILES}. */
    FILES
}
