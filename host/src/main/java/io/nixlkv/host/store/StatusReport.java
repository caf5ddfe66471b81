package io.nixlkv.host.store;

import io.nixlkv.api.StoreStatus;
import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.StorageBackend;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Composes a store's status: LMCache's fields under its names, then ours. */
final class StatusReport {
    private StatusReport() {}

    static StoreStatus of(StoreSpec spec, StorageBackend backend, Workers workers, HostArena arena, Health health) {
        return of("dynamic", spec, backend, workers, arena, health, Map.of());
    }

    /** @param more further details, which come before {@code spec}'s facts and replace general ones of the same name */
    static StoreStatus of(
            String type,
            StoreSpec spec,
            StorageBackend backend,
            Workers workers,
            HostArena arena,
            Health health,
            Map<String, Object> more) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("supports_query", true);
        details.put("supports_delete", spec.engine().can().has(Feature.DELETE));
        details.put("supports_direct_io", spec.engine().can().has(Feature.DIRECT_IO));
        details.put("atomic_publication", spec.engine().can().has(Feature.CREATE));
        details.put("pad_buffers_to_alignment", spec.lengths().pads());
        details.put("write_mode", spec.mode().name().toLowerCase(Locale.ROOT));
        details.put("deadline_ms", spec.deadline().toMillis());
        details.putAll(more);
        details.putAll(spec.facts());
        details.put("arena_bytes", arena.bytes());
        details.put("arena_free_bytes", arena.freeBytes());
        details.put("stuck_workers", workers.stuck());
        details.put("failures", health.failures());
        if (!health.lastFailure().isEmpty()) {
            details.put("last_failure", health.lastFailure());
        }
        BackendReport report = backend.report();
        details.put("counters", Collections.unmodifiableMap(new TreeMap<>(report.counters())));
        details.put("backend_facts", Collections.unmodifiableMap(new TreeMap<>(report.facts())));
        return new StoreStatus(
                health.healthy() && workers.stuck() < workers.wanted(),
                type,
                spec.strategy(),
                spec.engine().engine(),
                spec.isFile() ? "FILE" : "OBJECT",
                workers.wanted(),
                Collections.unmodifiableMap(details));
    }
}
