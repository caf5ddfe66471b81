package io.nixlkv.host.pool;

/** Slots in the order of their use, as a doubly linked list in two arrays. Not thread-safe. */
final class SlotChain {
    private final int[] before;
    private final int[] after;
    private final int ends;

    SlotChain(int slots) {
        before = new int[slots + 1];
        after = new int[slots + 1];
        ends = slots;
        before[ends] = ends;
        after[ends] = ends;
    }

    /** Least recently used slot, or {@link SlotIndex#NONE}. */
    int oldest() {
        return orNone(after[ends]);
    }

    /** The next slot that was used after {@code slot}, or {@link SlotIndex#NONE}. */
    int newerThan(int slot) {
        return orNone(after[slot]);
    }

    private int orNone(int slot) {
        return slot == ends ? SlotIndex.NONE : slot;
    }

    /** Adds a slot as the one used last. */
    void append(int slot) {
        int last = before[ends];
        before[slot] = last;
        after[slot] = ends;
        after[last] = slot;
        before[ends] = slot;
    }

    void remove(int slot) {
        after[before[slot]] = after[slot];
        before[after[slot]] = before[slot];
    }

    void use(int slot) {
        if (before[ends] != slot) {
            remove(slot);
            append(slot);
        }
    }
}
