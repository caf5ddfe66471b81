package io.nixlkv.cli;

import io.nixlkv.api.StoreStatus;

/**
 * The slots of a static pool.
 *
 * @param count free ones
 * @param total all
 */
record FreeSlots(long count, long total) {
    /** @param status of a static pool */
    static FreeSlots of(StoreStatus status) {
        long total = number(status, "slots_total");
        return new FreeSlots(total - number(status, "slots_used"), total);
    }

    private static long number(StoreStatus status, String name) {
        return ((Number) status.details().get(name)).longValue();
    }
}
