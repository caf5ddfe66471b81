package io.nixlkv.host.local;

import io.nixlkv.api.ArenaLease;
import java.nio.ByteBuffer;

/** The bytes of one object in leased memory. Its state is guarded by the cache that owns it. */
final class LocalEntry {
    private final ArenaLease lease;
    private final int length;
    private final long taken;

    /** Readers that copy right now; the memory is not given back before they are through. */
    int pins;

    /** Nobody finds it any more. */
    boolean gone;

    /**
     * @param lease owned by this entry
     * @param length bytes of the object
     * @param taken bytes of the arena, rounded up to its unit
     */
    LocalEntry(ArenaLease lease, int length, long taken) {
        this.lease = lease;
        this.length = length;
        this.taken = taken;
    }

    int length() {
        return length;
    }

    long taken() {
        return taken;
    }

    /** A view of the object's bytes, position 0. Only while pinned. */
    ByteBuffer bytes() {
        return lease.buffer().limit(length).slice().asReadOnlyBuffer();
    }

    void giveBack() {
        lease.close();
    }
}
