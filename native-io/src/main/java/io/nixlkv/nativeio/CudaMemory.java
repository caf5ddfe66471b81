package io.nixlkv.nativeio;

import io.nixlkv.nativeio.CudaException.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Memory of one GPU in segments of at most 1 GiB, each aligned to 4096: allocated and owned here, or an application's. The processor
 * cannot reach it; it is copied. Thread-safe; a copy after close is refused.
 */
public final class CudaMemory implements AutoCloseable {
    private static final long SEGMENT_BYTES = 1L << 30;
    private static final long ALIGNMENT = 4096;

    /** @param allocation what to free at the end; 0 for memory of an application */
    private record Segment(long allocation, long address, int bytes) {}

    private final CudaDevice device;
    private final List<Segment> segments = new ArrayList<>();
    private final ReadWriteLock open = new ReentrantReadWriteLock();
    private boolean closed;

    private CudaMemory(CudaDevice device) {
        this.device = device;
    }

    /**
     * Allocates memory; what is in it is undefined.
     *
     * @param number of the GPU
     * @param bytes at least 1; rounded up to a multiple of 4096
     * @throws CudaException saying what is missing and what to do; nothing is left allocated
     */
    public static CudaMemory allocate(int number, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("memory size must be positive: " + bytes);
        }
        CudaMemory memory = new CudaMemory(CudaLibrary.open().device(number));
        try {
            for (long left = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; left > 0; left -= SEGMENT_BYTES) {
                memory.allocateSegment(Math.min(left, SEGMENT_BYTES));
            }
            return memory;
        } catch (CudaException refused) {
            memory.close();
            throw refused;
        }
    }

    private void allocateSegment(long bytes) {
        long address = device.allocate(bytes);
        if (address % ALIGNMENT != 0) {
            // small allocations are aligned to less
            device.free(address);
            address = device.allocate(bytes + ALIGNMENT);
        }
        segments.add(new Segment(address, (address + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, (int) bytes));
    }

    /**
     * Memory that an application owns, and keeps until this object is closed.
     *
     * @param address first byte, a multiple of 4096
     * @param bytes at least 1
     * @throws CudaException if CUDA says that it is not all in one allocation of that GPU
     */
    public static CudaMemory over(int number, long address, long bytes) {
        if (bytes < 1 || address % ALIGNMENT != 0) {
            throw new CudaException(
                    Kind.WRONG_MEMORY,
                    bytes + " bytes at address 0x" + Long.toHexString(address)
                            + " are no arena: it has bytes and starts at a multiple of " + ALIGNMENT);
        }
        CudaMemory memory = new CudaMemory(CudaLibrary.open().device(number));
        try {
            memory.device.requireOwn(address, bytes);
            for (long at = 0; at < bytes; at += SEGMENT_BYTES) {
                memory.segments.add(new Segment(0, address + at, (int) Math.min(bytes - at, SEGMENT_BYTES)));
            }
            return memory;
        } catch (CudaException refused) {
            memory.close();
            throw refused;
        }
    }

    /** Number of the GPU. */
    public int device() {
        return device.number();
    }

    /** Number of segments, at least 1. */
    public int segments() {
        return segments.size();
    }

    /** Bytes of a segment. */
    public int bytes(int segment) {
        return segments.get(segment).bytes();
    }

    /** Address of a segment's first byte on the GPU. */
    public long address(int segment) {
        return segments.get(segment).address();
    }

    /**
     * Copies into {@code into}, position to limit; its position moves to its limit.
     *
     * @throws IndexOutOfBoundsException if the bytes are not all in the segment
     * @throws CudaException if CUDA refuses, or it is closed
     */
    public void copyOut(int segment, int offset, ByteBuffer into) {
        long at = place(segment, offset, into.remaining());
        whileOpen(() -> device.copyOut(at, into));
    }

    /** Copies {@code from}, position to limit, to {@code offset}; else as {@link #copyOut}. */
    public void copyIn(int segment, int offset, ByteBuffer from) {
        long at = place(segment, offset, from.remaining());
        whileOpen(() -> device.copyIn(at, from));
    }

    /** Copies from one place to another one that does not overlap it; else as {@link #copyOut}. */
    public void copyWithin(int segment, int offset, int toSegment, int toOffset, int bytes) {
        long from = place(segment, offset, bytes);
        long to = place(toSegment, toOffset, bytes);
        whileOpen(() -> device.copyWithin(from, to, bytes));
    }

    /** Fills with zeros; else as {@link #copyOut}. */
    public void clear(int segment, int offset, int bytes) {
        long at = place(segment, offset, bytes);
        whileOpen(() -> device.clear(at, bytes));
    }

    private long place(int segment, int offset, int bytes) {
        Segment whole = segments.get(segment);
        Objects.checkFromIndexSize(offset, bytes, whole.bytes());
        return whole.address() + offset;
    }

    private void whileOpen(Runnable copy) {
        open.readLock().lock();
        try {
            if (closed) {
                throw new CudaException(
                        Kind.FAILED, "memory of GPU " + device.number() + " is released; its store is closed");
            }
            copy.run();
        } finally {
            open.readLock().unlock();
        }
    }

    /** Gives the memory back unless it is an application's, and the GPU. Waits for running copies. Idempotent. */
    @Override
    public void close() {
        open.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                release();
            }
        } finally {
            open.writeLock().unlock();
        }
    }

    private void release() {
        try {
            for (Segment segment : segments) {
                if (segment.allocation() != 0) {
                    device.free(segment.allocation());
                }
            }
        } finally {
            device.close();
        }
    }
}
