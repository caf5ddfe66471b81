package io.nixlkv.api;

import java.util.Map;

/**
 * What a store tells about itself, as LMCache's {@code report_status} does and more; never parameters that could hold secrets.
 *
 * @param healthy false while stores or loads keep failing, or while no lane works
 * @param type kind of store, {@code dynamic} or {@code static_pool}
 * @param backend strategy name, such as {@code POSIX}
 * @param engine engine in use
 * @param storageType {@code FILE} or {@code OBJECT}
 * @param numWorkers worker threads
 * @param details further fields by name, in order: supports_query, supports_delete, supports_direct_io, atomic_publication,
 *     pad_buffers_to_alignment, write_mode, file_path, use_direct_io, counters and what the backend reports
 */
public record StoreStatus(
        boolean healthy,
        String type,
        String backend,
        String engine,
        String storageType,
        int numWorkers,
        Map<String, Object> details) {}
