package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlException;
import io.nixlkv.nativeio.NixlLane;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** The slots that one lane has registered: each when the lane first meets it, until its pool is closed. One thread. */
final class NixlObjectSlots {
    private final NixlLane nixl;
    private final Map<NixlObjectPool, long[]> devices = new HashMap<>();

    NixlObjectSlots(NixlLane nixl) {
        this.nixl = nixl;
    }

    /** Lets go of pools that are closed. */
    void dropClosed() {
        for (Iterator<Map.Entry<NixlObjectPool, long[]>> all =
                        devices.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<NixlObjectPool, long[]> each = all.next();
            if (!each.getKey().isOpen()) {
                Arrays.stream(each.getValue()).filter(device -> device != 0).forEach(nixl::drop);
                all.remove();
            }
        }
    }

    /**
     * The slot's device.
     *
     * @throws NixlException if NIXL does not register it
     */
    long device(NixlObjectPool pool, int slot) {
        long[] ofPool = devices.computeIfAbsent(pool, fresh -> new long[fresh.count()]);
        if (ofPool[slot] == 0) {
            ofPool[slot] = nixl.keepObject(pool.key(slot));
        }
        return ofPool[slot];
    }
}
