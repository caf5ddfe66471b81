package io.nixlkv.spi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** An arena of ordinary direct buffers, for hosts and tests without native code. Its memory goes with the last reference. */
public final class DirectArena implements MemoryArena {
    private static final int SEGMENT_BYTES = 1 << 30;

    private final List<ByteBuffer> segments = new ArrayList<>();

    /**
     * @param bytes total size, at least 1; rounded up to a multiple of 4096
     * @throws StorageException {@link Status#NO_SPACE} if the JVM does not give that much direct memory
     */
    public DirectArena(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("arena size must be positive: " + bytes);
        }
        long rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        try {
            for (long left = rounded; left > 0; left -= SEGMENT_BYTES) {
                int size = (int) Math.min(left, SEGMENT_BYTES);
                segments.add(ByteBuffer.allocateDirect(size + ALIGNMENT)
                        .alignedSlice(ALIGNMENT)
                        .slice(0, size));
            }
        } catch (OutOfMemoryError tooLarge) {
            segments.clear();
            throw new StorageException(
                    Status.NO_SPACE,
                    "arena of " + rounded
                            + " bytes does not fit the JVM's direct memory limit; make arena_gb smaller or raise"
                            + " -XX:MaxDirectMemorySize",
                    tooLarge);
        }
    }

    @Override
    public int segments() {
        return segments.size();
    }

    @Override
    public ByteBuffer segment(int index) {
        return segments.get(index);
    }

    @Override
    public long address(int segment) {
        return 0;
    }
}
