package io.nixlkv.plugin.support.arena;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.nativeio.NativeMemory.Pages;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;

/**
 * An arena with addresses, mapped by the native library. Its owner closes it when nothing touches its memory any more; after
 * that no segment may be used. Thread-safe.
 */
public final class NativeArena implements MemoryArena, AutoCloseable {
    private final NativeMemory memory;

    /**
     * @param bytes total size, at least 1; rounded up to whole pages
     * @param hugePages whether it must be made of 2 MiB pages set aside by the administrator
     * @throws StorageException {@link Status#NO_SPACE} if the system does not give that much; the message says what to do
     */
    public NativeArena(long bytes, boolean hugePages) {
        try {
            memory = new NativeMemory(bytes, hugePages ? Pages.HUGE : Pages.ORDINARY);
        } catch (NativeMemory.OutOfMemoryException refused) {
            throw new StorageException(Status.NO_SPACE, "arena: " + refused.getMessage(), refused);
        }
    }

    @Override
    public int segments() {
        return memory.segments();
    }

    @Override
    public ByteBuffer segment(int index) {
        return memory.segment(index);
    }

    @Override
    public long address(int segment) {
        return memory.address(segment);
    }

    @Override
    public void close() {
        memory.close();
    }
}
