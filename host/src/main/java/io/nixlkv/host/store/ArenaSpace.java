package io.nixlkv.host.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which bytes of the arena's segments are free: first fit, neighbours merged when given back. Sizes are rounded up to the
 * alignment, so that no two allocations share an aligned unit. Not thread-safe.
 */
final class ArenaSpace {
    /** No room now. */
    static final long NONE = -1;

    private final List<TreeMap<Integer, Integer>> freeBySegment = new ArrayList<>();
    private final int alignment;
    private long freeBytes;
    private long largest;

    /**
     * @param segmentBytes size of each segment
     * @param alignment power of two
     */
    ArenaSpace(List<Integer> segmentBytes, int alignment) {
        this.alignment = alignment;
        for (int bytes : segmentBytes) {
            TreeMap<Integer, Integer> free = new TreeMap<>();
            int usable = bytes / alignment * alignment;
            if (usable > 0) {
                free.put(0, usable);
            }
            freeBySegment.add(free);
            freeBytes += usable;
            largest = Math.max(largest, usable);
        }
    }

    /** Bytes that an allocation of {@code bytes} takes. */
    long rounded(long bytes) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    /** Whether an allocation of {@code bytes} could ever succeed. */
    boolean couldHold(long bytes) {
        return rounded(bytes) <= largest;
    }

    long freeBytes() {
        return freeBytes;
    }

    /** Segment in the high 32 bits, offset in the low ones; {@link #NONE} if there is no room. */
    long allocate(int bytes) {
        int wanted = (int) rounded(bytes);
        for (int segment = 0; segment < freeBySegment.size(); segment++) {
            TreeMap<Integer, Integer> free = freeBySegment.get(segment);
            for (Map.Entry<Integer, Integer> gap : free.entrySet()) {
                if (gap.getValue() >= wanted) {
                    int offset = gap.getKey();
                    int left = gap.getValue() - wanted;
                    free.remove(offset);
                    if (left > 0) {
                        free.put(offset + wanted, left);
                    }
                    freeBytes -= wanted;
                    return (long) segment << 32 | offset;
                }
            }
        }
        return NONE;
    }

    /** Takes {@code bytes} at an aligned offset; false if any of them, rounded up, is not free. */
    boolean take(int segment, int offset, int bytes) {
        TreeMap<Integer, Integer> free = freeBySegment.get(segment);
        Map.Entry<Integer, Integer> gap = free.floorEntry(offset);
        long end = offset + rounded(bytes);
        if (gap == null || gap.getKey() + (long) gap.getValue() < end) {
            return false;
        }
        int gapEnd = gap.getKey() + gap.getValue();
        free.remove(gap.getKey());
        if (gap.getKey() < offset) {
            free.put(gap.getKey(), offset - gap.getKey());
        }
        if (end < gapEnd) {
            free.put((int) end, gapEnd - (int) end);
        }
        freeBytes -= rounded(bytes);
        return true;
    }

    boolean isAligned(int offset) {
        return offset % alignment == 0;
    }

    void free(int segment, int offset, int bytes) {
        TreeMap<Integer, Integer> free = freeBySegment.get(segment);
        int start = offset;
        int size = (int) rounded(bytes);
        freeBytes += size;
        Map.Entry<Integer, Integer> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
            size += before.getValue();
        }
        Integer after = free.remove(offset + (int) rounded(bytes));
        if (after != null) {
            size += after;
        }
        free.put(start, size);
    }
}
