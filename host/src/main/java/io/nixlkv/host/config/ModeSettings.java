package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.PoolLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How a store holds its objects, beside where.
 *
 * @param slotBytes bytes of a slot of a static pool; 0 without one
 * @param poolLayout how the slots of a static pool lie in a store of files
 * @param poolEvicts whether a full static pool drops its least recently used object, instead of refusing
 * @param stateDir directory of a static pool's index; empty for the default
 * @param presenceCache whether lookups are answered from memory where they can
 * @param presenceCacheOnly whether lookups are answered from memory alone
 * @param asyncPut whether a blocking store returns before the objects are written
 * @param byGpu whether only one of several paths is used, that of {@code localWorkerId}
 * @param localWorkerId number of the engine's worker process on this machine
 * @param endpoints endpoints of which each worker uses one; empty for none
 * @param evicts whether objects are deleted when the capacity is nearly used
 * @param triggerWatermark share of the capacity at which that starts, 0 to 1
 * @param evictionRatio share of the stored bytes that is deleted then, 0 to 1
 * @param localCpu whether recently used objects are kept in the arena
 */
public record ModeSettings(
        int slotBytes,
        PoolLayout poolLayout,
        boolean poolEvicts,
        String stateDir,
        boolean presenceCache,
        boolean presenceCacheOnly,
        boolean asyncPut,
        boolean byGpu,
        int localWorkerId,
        List<String> endpoints,
        boolean evicts,
        double triggerWatermark,
        double evictionRatio,
        boolean localCpu) {

    /** These settings without objects in the arena. */
    public ModeSettings withoutLocalCpu() {
        return new ModeSettings(
                slotBytes,
                poolLayout,
                poolEvicts,
                stateDir,
                presenceCache,
                presenceCacheOnly,
                asyncPut,
                byGpu,
                localWorkerId,
                endpoints,
                evicts,
                triggerWatermark,
                evictionRatio,
                false);
    }

    static ModeSettings of(Map<String, ConfigValue> store) {
        String slotBytes = store.get("slot_bytes").text();
        return new ModeSettings(
                slotBytes.isEmpty() ? 0 : (int) Parameter.bytes(slotBytes),
                PoolLayout.valueOf(store.get("pool_layout").text().toUpperCase(Locale.ROOT)),
                store.get("pool_full").text().equalsIgnoreCase("evict"),
                store.get("state_dir").text(),
                store.get("presence_cache").flag(),
                store.get("presence_cache_only").flag(),
                store.get("async_put").flag(),
                store.get("path_sharding").text().equalsIgnoreCase("by_gpu"),
                Integer.parseInt(store.get("local_worker_id").text()),
                endpoints(store),
                store.get("eviction").text().equalsIgnoreCase("lru"),
                Double.parseDouble(store.get("trigger_watermark").text()),
                Double.parseDouble(store.get("eviction_ratio").text()),
                store.get("local_cpu").flag());
    }

    static List<String> endpoints(Map<String, ConfigValue> store) {
        String text = store.get("endpoint_list").text();
        return text.isEmpty() ? List.of() : Parameter.paths(text);
    }
}
