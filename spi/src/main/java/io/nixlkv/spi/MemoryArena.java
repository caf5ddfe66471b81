package io.nixlkv.spi;

import java.nio.ByteBuffer;

/**
 * All memory that a transfer may touch; fixed while a backend is open. Segments are direct, 4096-aligned and at most 1 GiB long
 * (limit of a {@link ByteBuffer} and of an io_uring registered buffer). A slice is (segment, offset, length) and never crosses
 * segments. A lane registers them when it opens, if it must.
 */
public interface MemoryArena {
    /** Alignment of every segment's first byte. */
    int ALIGNMENT = 4096;

    /** Number of segments, at least 1. */
    int segments();

    /** A shared view of a whole segment: take {@code duplicate()} or {@code slice()}, never move its position. */
    ByteBuffer segment(int index);

    /** Address of a segment's first byte; 0 where no native code is there to tell, and engines that need it must not be offered. */
    long address(int segment);
}
