package io.nixlkv.spi.tck;

import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A part of the arena's first segment that one thread uses.
 *
 * @param from first byte, a multiple of the arena's alignment
 * @param to end
 */
record Area(MemoryArena arena, int from, int to) {
    private static final byte GUARD = (byte) 0xa5;
    private static final int CHUNK = 1 << 16;
    private static final ByteBuffer GUARDS = pattern(GUARD);
    private static final ByteBuffer ZEROS = pattern((byte) 0);

    /** The {@code length} bytes at {@code offset} of the segment: a view, or a copy of memory of a device as it is now. */
    ByteBuffer view(int offset, int length) {
        if (arena.kind() == Segment.DRAM_SEG) {
            return arena.segment(0).slice(offset, length);
        }
        ByteBuffer copy = ByteBuffer.allocateDirect(length);
        arena.copyOut(0, offset, copy);
        return copy.flip();
    }

    /** Writes a content. */
    void put(int offset, Content content) {
        if (arena.kind() == Segment.DRAM_SEG) {
            content.put(view(offset, content.length()));
        } else {
            ByteBuffer bytes = ByteBuffer.allocate(content.length());
            content.put(bytes);
            arena.copyIn(0, offset, bytes);
        }
    }

    /** Fills {@code [offset, end)} with guard bytes. */
    void guard(int offset, int end) {
        fill(offset, end, GUARDS);
    }

    /** Fills {@code [offset, end)} with zeros. */
    void clear(int offset, int end) {
        fill(offset, end, ZEROS);
    }

    /** Whether {@code [offset, end)} still holds guard bytes. */
    boolean guarded(int offset, int end) {
        return filled(offset, end, GUARDS);
    }

    /** Whether {@code [offset, end)} still holds zeros. */
    boolean cleared(int offset, int end) {
        return filled(offset, end, ZEROS);
    }

    private void fill(int offset, int end, ByteBuffer pattern) {
        for (int at = offset; at < end; at += CHUNK) {
            arena.copyIn(0, at, pattern.slice(0, Math.min(CHUNK, end - at)));
        }
    }

    private boolean filled(int offset, int end, ByteBuffer pattern) {
        for (int at = offset; at < end; at += CHUNK) {
            int length = Math.min(CHUNK, end - at);
            if (view(at, length).mismatch(pattern.slice(0, length)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer pattern(byte value) {
        byte[] bytes = new byte[CHUNK];
        Arrays.fill(bytes, value);
        return ByteBuffer.allocateDirect(CHUNK).put(bytes).flip().asReadOnlyBuffer();
    }
}
