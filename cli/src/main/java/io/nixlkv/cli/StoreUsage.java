package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.spi.StorageException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * How much a store holds, by listing it.
 *
 * @param objects number of objects
 * @param bytes their stored bytes
 * @param capacity what counts as full, bytes; 0 for no limit
 * @param reason why it could not be counted; empty if it was
 */
record StoreUsage(long objects, long bytes, long capacity, String reason) {

    static StoreUsage of(KvStore store, long capacity, BooleanSupplier stop) {
        long[] sum = new long[2];
        try {
            store.list("", (key, length, lastUse) -> {
                sum[0]++;
                sum[1] += length;
                return !stop.getAsBoolean();
            });
        } catch (StorageException refused) {
            return new StoreUsage(0, 0, capacity, refused.getMessage());
        }
        return new StoreUsage(sum[0], sum[1], capacity, "");
    }

    /** Bytes up to which a store with a limit deletes nothing by itself. */
    long unevicted(ModeSettings modes) {
        return modes.evicts() ? (long) Math.ceil(modes.triggerWatermark() * capacity) - 1 : capacity;
    }

    String text() {
        if (!reason.isEmpty()) {
            return "unknown";
        }
        return objects + (objects == 1 ? " object, " : " objects, ") + bytes + " bytes"
                + (capacity > 0
                        ? String.format(Locale.ROOT, ", %.1f %% of %d", 100.0 * bytes / capacity, capacity)
                        : ", no limit");
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("objects", reason.isEmpty() ? objects : null);
        document.put("bytes", reason.isEmpty() ? bytes : null);
        document.put("capacity_bytes", capacity > 0 ? capacity : null);
        document.put("fraction", reason.isEmpty() && capacity > 0 ? (Object) ((double) bytes / capacity) : null);
        if (!reason.isEmpty()) {
            document.put("error", reason);
        }
        return document;
    }
}
