package io.nixlkv.host.store;

import io.nixlkv.spi.PoolLayout;
import java.nio.file.Path;

/**
 * A static pool.
 *
 * @param slots usable slots, at least 1
 * @param slotBytes bytes of a slot
 * @param layout how the slots lie in a store of files
 * @param evicts whether a full pool drops its least recently used object, instead of refusing
 * @param stateDir directory of the index and the lock
 */
public record PoolSettings(int slots, int slotBytes, PoolLayout layout, boolean evicts, Path stateDir) {
    /** The same with slots in one file. */
    public PoolSettings(int slots, int slotBytes, boolean evicts, Path stateDir) {
        this(slots, slotBytes, PoolLayout.SLAB, evicts, stateDir);
    }
}
