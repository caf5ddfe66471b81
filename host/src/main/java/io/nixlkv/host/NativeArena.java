package io.nixlkv.host;

import io.nixlkv.host.config.StoreSettings;
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
     * @throws StorageException if the system does not give that much; the message says what to do
     */
    static MemoryArena ofStore(StoreSettings settings) {
        if (NativeIo.isAvailable()) {
            return new NativeArena(settings.arenaBytes(), settings.hugePages());
        }
        if (settings.hugePages()) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "hugepages = true needs the native library: "
                            + NativeIo.unavailableReason().orElse("") + "; or set hugepages = false");
        }
        return new DirectArena(settings.arenaBytes());
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
