package io.nixlkv.host.config;

import java.util.Map;
import java.util.Optional;

/**
 * When a store of files makes room, and how much.
 *
 * @param written what {@code l3_cleaner_enabled} says; empty if it is not written
 * @param high per cent of use from which on objects are deleted, above {@code low}, at most 100
 * @param low per cent of use below which that ends, above 0
 * @param capacityBytes what the two refer to, a limit on the store's own bytes; 0 for the file systems' sizes
 */
public record CleanerSettings(Optional<Boolean> written, double high, double low, long capacityBytes) {

    static CleanerSettings of(Map<String, ConfigValue> top) {
        ConfigValue enabled = top.get(HostKeys.CLEANER_ENABLED);
        String capacity = top.get(HostKeys.CLEANER_CAPACITY).text();
        return new CleanerSettings(
                enabled.given() ? Optional.of(enabled.flag()) : Optional.empty(),
                Double.parseDouble(top.get(HostKeys.HIGH_WATERMARK).text()),
                Double.parseDouble(top.get(HostKeys.LOW_WATERMARK).text()),
                capacity.isEmpty() ? 0 : StoreSettings.gib(capacity));
    }
}
