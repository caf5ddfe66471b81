package io.nixlkv.nativeio;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory outside the heap in segments of at most 1 GiB, each aligned to 2 MiB. Zeroed; never moves. It is released when this
 * object and every view of it are unreachable, or at once by {@link #close}: after that a view must not be used. Thread-safe.
 */
public final class NativeMemory implements AutoCloseable {
    private static final long SEGMENT_BYTES = 1L << 30;
    private static final long PAGE = 4096;
    private static final long HUGE_PAGE = 2L << 20;
    private static final int ENOMEM = 12;

    /** Which pages back the memory. */
    public enum Pages {
        /** The system's; transparent huge pages where it gives them. */
        ORDINARY,
        /** 2 MiB pages that the administrator has set aside. */
        HUGE
    }

    private static final Cleaner CLEANER = Cleaner.create();

    private record Segment(long address, ByteBuffer view, Cleaner.Cleanable mapping) {
        static Segment of(long address, long bytes) {
            ByteBuffer view = DirectBuffers.view(address, bytes);
            return new Segment(address, view, CLEANER.register(view, () -> NativeCalls.unmapMemory(address, bytes)));
        }
    }

    private final List<Segment> segments = new ArrayList<>();
    private boolean closed;

    /**
     * @param bytes total size, at least 1; rounded up to whole pages
     * @throws OutOfMemoryException if the system does not give it; nothing is left mapped
     */
    public NativeMemory(long bytes, Pages pages) {
        NativeIo.require();
        if (bytes < 1) {
            throw new IllegalArgumentException("memory size must be positive: " + bytes);
        }
        long unit = pages == Pages.HUGE ? HUGE_PAGE : PAGE;
        long rounded = (bytes + unit - 1) / unit * unit;
        for (long left = rounded; left > 0; left -= SEGMENT_BYTES) {
            long size = Math.min(left, SEGMENT_BYTES);
            long address = NativeCalls.mapMemory(size, pages.ordinal());
            if (address < 0) {
                close();
                throw new OutOfMemoryException(explain(rounded, pages, (int) -address));
            }
            segments.add(Segment.of(address, size));
        }
    }

    private static String explain(long bytes, Pages pages, int errno) {
        String what = "cannot map " + bytes + " bytes of memory: " + NativeIo.errorText(errno);
        if (pages == Pages.HUGE) {
            long needed = bytes / HUGE_PAGE;
            String advice = HugePagePool.ofSystem()
                    .map(pool -> pool.advice(needed))
                    .orElse("this kernel has none of that size");
            return what + "; hugepages = true needs " + needed + " pages of 2 MiB, " + advice
                    + ", or set hugepages = false";
        }
        return errno == ENOMEM
                ? what + "; make arena_gb smaller or raise the limit of virtual memory (ulimit -v)"
                : what;
    }

    /** The system did not give the memory; the message says what to do. */
    public static final class OutOfMemoryException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private OutOfMemoryException(String message) {
            super(message);
        }
    }

    /** Number of segments, at least 1. */
    public int segments() {
        return segments.size();
    }

    /** A shared view of a segment. */
    public ByteBuffer segment(int index) {
        return segments.get(index).view();
    }

    /** Address of a segment's first byte. */
    public long address(int index) {
        return segments.get(index).address();
    }

    /** Gives the memory back. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            segments.forEach(segment -> segment.mapping().clean());
        }
    }
}
