package io.nixlkv.plugin.support.testing;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import java.nio.ByteBuffer;

/** An arena with addresses. */
public record MappedArena(NativeMemory memory) implements MemoryArena, AutoCloseable {
    /** Of {@code bytes}; the caller closes it. */
    public static MappedArena of(long bytes) {
        return new MappedArena(new NativeMemory(bytes, NativeMemory.Pages.ORDINARY));
    }

    /** For a test class that is skipped without the native library, but is made all the same. */
    public static MemoryArena whereThereIsOne(long bytes) {
        return NativeIo.isAvailable() ? of(bytes) : new DirectArena(bytes);
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
