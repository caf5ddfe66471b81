package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.arena.NativeArena;
import io.nixlkv.spi.MemoryArena;

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
        return new NativeArena(bytes, false);
    }
}
