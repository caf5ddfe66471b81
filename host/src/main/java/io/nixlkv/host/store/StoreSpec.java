package io.nixlkv.host.store;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.Map;

/**
 * What a store is made of, beside its open backend and its memory.
 *
 * @param strategy strategy name
 * @param place where the objects are, for people: directories or an endpoint, no secrets
 * @param engine the chosen engine with its capabilities
 * @param layout keys to names
 * @param lengths padding rule
 * @param workers number of workers
 * @param arenaAlignment bytes to which leases are aligned, a power of two; raised to the unit of {@code lengths}, so that padding ends in
 *     its lease
 * @param deadline time a call may take unless it says otherwise
 * @param mode write mode unless a call says otherwise
 * @param atomicity of store calls unless a call says otherwise
 * @param durable whether writes are on stable storage before they are done
 * @param exclusive whether nobody else writes here, so that a failed all-or-nothing call may take back what it published
 * @param objectBytes length that lookups expect when the caller gives none; 0 means unknown
 * @param facts further fields for {@code status}
 */
public record StoreSpec(
        String strategy,
        String place,
        EngineOffer engine,
        Layout layout,
        LengthRule lengths,
        int workers,
        int arenaAlignment,
        Duration deadline,
        Mode mode,
        Atomicity atomicity,
        boolean durable,
        boolean exclusive,
        long objectBytes,
        Map<String, Object> facts) {

    public StoreSpec {
        arenaAlignment = Math.max(arenaAlignment, lengths.unit());
    }

    /** Whether the objects are files. */
    public boolean isFile() {
        return engine.segments().contains(Segment.FILE_SEG);
    }

    String name() {
        return strategy + " (" + place + ")";
    }
}
