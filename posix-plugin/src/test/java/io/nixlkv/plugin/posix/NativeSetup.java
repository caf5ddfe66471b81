package io.nixlkv.plugin.posix;

import io.nixlkv.nativeio.NativeMemory;
import io.nixlkv.spi.MemoryArena;
import java.nio.ByteBuffer;

/** POSIX on one directory with a native engine. */
abstract class NativeSetup extends PosixSetup {
    private final String engine;

    NativeSetup(String engine, boolean direct) {
        super(direct);
        this.engine = engine;
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public MemoryArena arena(long bytes) {
        return new Mapped(new NativeMemory(bytes, NativeMemory.Pages.ORDINARY));
    }

    /** Memory with addresses, as a host has it. */
    record Mapped(NativeMemory memory) implements MemoryArena {
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
}
