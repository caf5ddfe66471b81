package io.nixlkv.host.presence;

/**
 * A map from 128-bit digests to numbers from 0 on: open addressing in primitive arrays, no tombstones. Filled to four fifths at
 * most and grown by half, so an entry takes 25 to 38 bytes. Not thread-safe.
 */
public final class DigestTable {
    /** What {@link #get}, {@link #put} and {@link #remove} answer when there was no entry. */
    public static final int NONE = -1;

    private static final int SMALLEST = 16;

    private long[] keys;
    private int[] values;
    private int capacity;
    private int size;

    /** An empty table. */
    public DigestTable() {
        this(0);
    }

    /** An empty table that takes {@code expected} entries before it grows. */
    public DigestTable(int expected) {
        allocate((int) Math.max(SMALLEST, Math.min(Integer.MAX_VALUE / 2 - 8L, expected * 5L / 4 + 1)));
    }

    private void allocate(int slots) {
        capacity = slots;
        keys = new long[2 * slots];
        values = new int[slots];
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** Bytes of its arrays. */
    public long bytes() {
        return 8L * keys.length + 4L * values.length;
    }

    /** The number of a digest, or {@link #NONE}. */
    public int get(long high, long low) {
        int at = find(high, low);
        return values[at] - 1;
    }

    /**
     * {@link #get} that may run while another thread changes the table. It ends and throws nothing; what it answers then is
     * worth nothing, and it is the caller's to notice.
     */
    int peek(long high, long low) {
        long[] someKeys = keys;
        int[] someValues = values;
        int places = Math.min(someValues.length, someKeys.length / 2);
        int at = (int) ((high >>> 32) * places >>> 32);
        for (int steps = 0; steps < places && someValues[at] != 0; steps++) {
            if (someKeys[2 * at] == high && someKeys[2 * at + 1] == low) {
                return someValues[at] - 1;
            }
            at = at + 1 == places ? 0 : at + 1;
        }
        return NONE;
    }

    /**
     * Sets the number of a digest.
     *
     * @param value 0 to {@link Integer#MAX_VALUE} - 1
     * @return the number before, or {@link #NONE}
     */
    public int put(long high, long low, int value) {
        if (value < 0 || value == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("number out of range: " + value);
        }
        int at = find(high, low);
        int before = values[at] - 1;
        if (before == NONE) {
            if (size >= capacity / 5 * 4) {
                grow();
                at = find(high, low);
            }
            keys[2 * at] = high;
            keys[2 * at + 1] = low;
            size++;
        }
        values[at] = value + 1;
        return before;
    }

    /** Removes a digest; answers with its number, or {@link #NONE}. */
    public int remove(long high, long low) {
        int hole = find(high, low);
        int before = values[hole] - 1;
        if (before == NONE) {
            return NONE;
        }
        for (int at = next(hole); values[at] != 0; at = next(at)) {
            int home = home(keys[2 * at]);
            boolean stays = hole <= at ? home > hole && home <= at : home > hole || home <= at;
            if (!stays) {
                move(at, hole);
                hole = at;
            }
        }
        values[hole] = 0;
        keys[2 * hole] = 0;
        keys[2 * hole + 1] = 0;
        size--;
        return before;
    }

    /** Whether an entry is to go. */
    @FunctionalInterface
    public interface Test {
        boolean goes(long high, long low);
    }

    /**
     * Removes the entries that are to go from some places of the table. In a row of such calls, an entry that moves between them may
     * be passed over.
     *
     * @param from 0, or the answer of the call before
     * @param places how many
     * @param test changes nothing here
     * @return where to go on, or {@link #NONE} at the end
     */
    public int removeIf(int from, int places, Test test) {
        int to = (int) Math.min(capacity, (long) from + places);
        for (int at = from; at < to; ) {
            if (values[at] != 0 && test.goes(keys[2 * at], keys[2 * at + 1])) {
                // another entry may take its place
                remove(keys[2 * at], keys[2 * at + 1]);
            } else {
                at++;
            }
        }
        return to < capacity ? to : NONE;
    }

    /** Forgets everything, and gives the memory back. */
    public void clear() {
        size = 0;
        allocate(SMALLEST);
    }

    private void move(int from, int to) {
        keys[2 * to] = keys[2 * from];
        keys[2 * to + 1] = keys[2 * from + 1];
        values[to] = values[from];
    }

    /** Where a digest is, or the empty place where it would go. An empty place has the value 0. */
    private int find(long high, long low) {
        int at = home(high);
        while (values[at] != 0 && (keys[2 * at] != high || keys[2 * at + 1] != low)) {
            at = next(at);
        }
        return at;
    }

    private int home(long high) {
        return (int) ((high >>> 32) * capacity >>> 32);
    }

    private int next(int at) {
        return at + 1 == capacity ? 0 : at + 1;
    }

    private static long nonZero(long high, long low) {
        return high == 0 && low == 0 ? 1 : low;
    }

    private void grow() {
        if (capacity >= Integer.MAX_VALUE / 3) {
            throw new IllegalStateException("the table has " + size + " entries and cannot grow");
        }
        long[] oldKeys = keys;
        int[] oldValues = values;
        allocate(capacity + capacity / 2);
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != 0) {
                int at = find(oldKeys[2 * i], oldKeys[2 * i + 1]);
                keys[2 * at] = oldKeys[2 * i];
                keys[2 * at + 1] = oldKeys[2 * i + 1];
                values[at] = oldValues[i];
            }
        }
    }
}
