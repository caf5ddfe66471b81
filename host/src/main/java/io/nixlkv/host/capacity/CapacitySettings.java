package io.nixlkv.host.capacity;

import java.time.Duration;

/**
 * A limit on a store's bytes.
 *
 * @param maxBytes more than 0
 * @param evicts whether the objects not used for longest are deleted to make room
 * @param watermark share of {@code maxBytes} at which that starts, above 0 and at most 1
 * @param ratio share of the stored bytes that one eviction deletes, above 0 and at most 1
 * @param lease time for which an object that was looked up or loaded is left alone
 * @param counts whether what is there already is counted, by listing, in the background; a short-lived command does without
 */
public record CapacitySettings(
        long maxBytes, boolean evicts, double watermark, double ratio, Duration lease, boolean counts) {}
