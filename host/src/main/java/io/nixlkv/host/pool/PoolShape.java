package io.nixlkv.host.pool;

import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;

/**
 * How a pool is laid out. Slot {@code s} is number {@code s / roots} under root {@code s % roots}; each root has one slot more, the
 * label, that says whose pool it is.
 *
 * @param slots usable slots, at least 1
 * @param slotBytes bytes of a slot, at least 64
 * @param roots directories or endpoints
 * @param layout how the slots lie in a store of files
 */
public record PoolShape(int slots, int slotBytes, int roots, PoolLayout layout) {
    /** Bytes of a label, and so the smallest slot. */
    public static final int LABEL_BYTES = 64;

    /** @throws StorageException INVALID if a number is out of range */
    public PoolShape {
        if (slots < 1 || roots < 1 || slots / roots == Integer.MAX_VALUE) {
            throw new StorageException(
                    Status.INVALID, "a pool needs at least one slot and one root, not " + slots + " and " + roots);
        }
        if (slotBytes < LABEL_BYTES) {
            throw new StorageException(
                    Status.INVALID, "slot_bytes must be at least " + LABEL_BYTES + ", not " + slotBytes);
        }
    }

    /** The same with slots in one file. */
    public PoolShape(int slots, int slotBytes, int roots) {
        this(slots, slotBytes, roots, PoolLayout.SLAB);
    }

    /** Slots to open under each root, the label among them. */
    public int perRoot() {
        return label() + 1;
    }

    /** Number of the label's slot under each root. */
    public int label() {
        return (int) (((long) slots + roots - 1) / roots);
    }

    /** Root of a slot. */
    public int root(int slot) {
        return slot % roots;
    }

    /** Number of a slot under its root. */
    public int number(int slot) {
        return slot / roots;
    }
}
