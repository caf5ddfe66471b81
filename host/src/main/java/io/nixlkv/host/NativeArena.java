package io.nixlkv.host;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.nativeio.NativeMemory.Pages;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;

/**
 * An arena with addresses, mapped by the native library. Its memory goes with the last reference to it or to a view of it.
 * Thread-safe.
 */
final class NativeArena implements MemoryArena {
    private final NativeMemory memory;

    private NativeArena(long bytes, boolean hugePages) {
        try {
            memory = new NativeMemory(bytes, hugePages ? Pages.HUGE : Pages.ORDINARY);
        } catch (NativeMemory.OutOfMemoryException refused) {
            throw new StorageException(Status.NO_SPACE, "arena: " + refused.getMessage(), refused);
        }
    }

    /**
     * The memory of a store: native where the library is there, else ordinary direct buffers.
     *
     * @param bytes total size, at least 1
     * @param hugePages whether it must be made of 2 MiB pages set aside by the administrator
     * @throws StorageException if the system does not give that much; the message says what to do
     */
    static MemoryArena ofStore(long bytes, boolean hugePages) {
        if (NativeIo.isAvailable()) {
            return new NativeArena(bytes, hugePages);
        }
        if (hugePages) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "hugepages = true needs the native library: "
                            + NativeIo.unavailableReason().orElse("") + "; or set hugepages = false");
        }
        return new DirectArena(bytes);
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
}
