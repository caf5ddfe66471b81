package io.nixlkv.plugin.docamemos;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.spi.MemoryArena;
import java.nio.ByteBuffer;

/** An arena with addresses. */
record MappedArena(NativeMemory memory) implements MemoryArena, AutoCloseable {
    static MappedArena of(long bytes) {
        return new MappedArena(new NativeMemory(bytes, NativeMemory.Pages.ORDINARY));
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
