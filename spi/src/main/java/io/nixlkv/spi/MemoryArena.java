package io.nixlkv.spi;

import java.nio.ByteBuffer;

/**
 * All memory that a transfer may touch; fixed while a backend is open. Segments are 4096-aligned and at most 1 GiB long (limit of a
 * {@link ByteBuffer} and of an io_uring registered buffer). A slice is (segment, offset, length) and never crosses segments. A lane
 * registers them when it opens, if it must.
 *
 * <p>Host memory is direct buffers. Memory of a device ({@link #kind} is {@link Segment#VRAM_SEG}) has addresses that no processor may
 * follow: it is copied from and to, and only engines that offer {@code VRAM_SEG} transfer it.
 */
public interface MemoryArena {
    /** Alignment of every segment's first byte. */
    int ALIGNMENT = 4096;

    /** Number of segments, at least 1. */
    int segments();

    /**
     * A shared view of a whole segment: take {@code duplicate()} or {@code slice()}, never move its position.
     *
     * @throws StorageException {@link Status#UNSUPPORTED} for memory of a device, which has no view
     */
    ByteBuffer segment(int index);

    /** Address of a segment's first byte; 0 where no native code is there to tell, and engines that need it must not be offered. */
    long address(int segment);

    /** Bytes of a segment. */
    default int bytes(int segment) {
        return segment(segment).capacity();
    }

    /** {@link Segment#DRAM_SEG}, or {@link Segment#VRAM_SEG} for memory of a device. The same for all segments. */
    default Segment kind() {
        return Segment.DRAM_SEG;
    }

    /** Number of the device whose memory it is, as CUDA numbers the GPUs of this process; 0 for host memory. */
    default int device() {
        return 0;
    }

    /** Copies from {@code offset} on into {@code into}, position to limit; its position moves to its limit. */
    default void copyOut(int segment, int offset, ByteBuffer into) {
        into.put(segment(segment).slice(offset, into.remaining()));
    }

    /** Copies {@code from}, position to limit, to {@code offset}; its position moves to its limit. */
    default void copyIn(int segment, int offset, ByteBuffer from) {
        segment(segment).slice(offset, from.remaining()).put(from);
    }

    /** Copies bytes from one place of the arena to another one that does not overlap it. */
    default void copyWithin(int segment, int offset, int toSegment, int toOffset, int length) {
        segment(toSegment).slice(toOffset, length).put(segment(segment).slice(offset, length));
    }

    /** Fills bytes with zeros. */
    default void clear(int segment, int offset, int length) {
        segment(segment).slice(offset, length).put(new byte[length]);
    }
}
