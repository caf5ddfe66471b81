package io.nixlkv.spi;

import java.util.Map;

/**
 * A backend's own facts and counters, as data; the host shows them in {@code status} and exports the counters as metrics.
 *
 * @param facts what holds since it was opened, such as the publication method of each directory
 * @param counters growing numbers, such as {@code transfers_direct}
 */
public record BackendReport(Map<String, String> facts, Map<String, Long> counters) {
    /** Nothing to tell. */
    public static final BackendReport EMPTY = new BackendReport(Map.of(), Map.of());
}
