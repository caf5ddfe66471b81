package io.nixlkv.host.config;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.TransferBatch.Mode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The checked settings of one store.
 *
 * @param layout lower-case name, such as {@code lmcache}
 * @param numWorkers transferring threads, 1 to 256
 * @param arenaBytes memory for transfers, more than 0
 * @param gpu number of the GPU whose memory that is; empty for host memory
 * @param arenaAlign bytes, a power of two
 * @param hugePages whether the arena is made of 2 MiB pages that the administrator has set aside
 * @param writeMode what a store does to an existing object, unless the call says otherwise
 * @param atomicity of stores, unless the call says otherwise
 * @param exclusive whether no other process writes here
 * @param maxCapacityBytes what counts as full; 0 means no limit
 * @param nameForm for layout {@code lmcache}
 * @param shardDirs for layout {@code lmcache}
 * @param l1AlignBytes padding of direct transfers in layout {@code lmcache}, a power of two; 0 means none
 * @param objectBytes length that lookups expect; 0 means unknown
 * @param poolSize slots of a static pool; 0 means names made per transfer
 * @param deadline of a call, unless it says otherwise
 * @param useDirectIo whether files bypass the page cache where they can
 * @param fallbackToAuto whether automatic selection follows when no active plugin is usable
 * @param layoutSettings what the layout needs beside its name
 */
public record StoreSettings(
        String layout,
        int numWorkers,
        long arenaBytes,
        OptionalInt gpu,
        int arenaAlign,
        boolean hugePages,
        Mode writeMode,
        Atomicity atomicity,
        boolean exclusive,
        long maxCapacityBytes,
        NameForm nameForm,
        boolean shardDirs,
        int l1AlignBytes,
        long objectBytes,
        int poolSize,
        Duration deadline,
        boolean useDirectIo,
        boolean fallbackToAuto,
        LayoutSettings layoutSettings) {

    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    /** From values that the rules have accepted. */
    static StoreSettings of(Map<String, ConfigValue> top, Map<String, ConfigValue> store) {
        String layout = word(store, "layout");
        String writeMode = word(store, "write_mode");
        boolean create = writeMode.isEmpty() ? layout.startsWith("lmcache") : writeMode.equals("create");
        return new StoreSettings(
                layout,
                number(store, "num_workers"),
                arenaBytes(store),
                gpu(store),
                (int) bytes(store, "arena_align_bytes"),
                store.get("hugepages").flag(),
                create ? Mode.CREATE : Mode.REPLACE,
                word(store, "atomicity").equals("per_object") ? Atomicity.PER_OBJECT : Atomicity.ALL_OR_NOTHING,
                store.get("exclusive").flag(),
                gib(store.get("max_capacity_gb").text()),
                word(store, "name_form").equals("wire") ? NameForm.WIRE : NameForm.FILE,
                store.get("shard_dirs").flag(),
                (int) bytes(store, "l1_align_bytes"),
                bytes(store, "object_bytes"),
                number(store, "pool_size"),
                Duration.ofMillis(number(store, "deadline_ms")),
                top.get(HostKeys.USE_DIRECT_IO).flag(),
                word(store, "fallback").equals("auto"),
                layoutSettings(store));
    }

    private static long arenaBytes(Map<String, ConfigValue> store) {
        return gpu(store).isPresent()
                ? bytes(store, HostKeys.BUFFER_BYTES)
                : gib(store.get("arena_gb").text());
    }

    /** The N of {@code cuda:N}; 0 for {@code cuda}. */
    private static OptionalInt gpu(Map<String, ConfigValue> store) {
        String device = word(store, HostKeys.BUFFER_DEVICE);
        int colon = device.indexOf(':');
        return device.equals("cpu")
                ? OptionalInt.empty()
                : OptionalInt.of(colon < 0 ? 0 : Integer.parseInt(device.substring(colon + 1)));
    }

    private static LayoutSettings layoutSettings(Map<String, ConfigValue> store) {
        return new LayoutSettings(
                store.get("model").text(),
                number(store, "tp_rank"),
                number(store, "tp_size"),
                store.get("mla").flag(),
                word(store, "host_layout"),
                Arrays.stream(word(store, "side_pools").split(","))
                        .map(String::strip)
                        .filter(pool -> !pool.isEmpty())
                        .toList(),
                word(store, "long_names").equals("hash"));
    }

    /** {@code text}, a decimal number of GiB, in whole bytes. */
    static long gib(String text) {
        BigDecimal bytes = new BigDecimal(text).multiply(GIB).setScale(0, RoundingMode.HALF_UP);
        return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : bytes.longValueExact();
    }

    private static String word(Map<String, ConfigValue> values, String key) {
        return values.get(key).text().toLowerCase(Locale.ROOT);
    }

    private static int number(Map<String, ConfigValue> values, String key) {
        return Integer.parseInt(values.get(key).text());
    }

    private static long bytes(Map<String, ConfigValue> values, String key) {
        return Parameter.bytes(values.get(key).text());
    }
}
