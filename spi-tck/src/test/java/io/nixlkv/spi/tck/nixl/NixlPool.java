package io.nixlkv.spi.tck.nixl;

import io.nixlkv.spi.SlotPool;
import java.nio.file.Path;

/** One slab; every lane's agent registers it when it first meets the pool. */
record NixlPool(Path slab, int count, int slotBytes) implements SlotPool {
    @Override
    public void close() {
        // The registrations belong to the agents, which end with their lanes.
    }
}
