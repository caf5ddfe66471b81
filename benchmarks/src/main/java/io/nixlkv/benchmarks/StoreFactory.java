package io.nixlkv.benchmarks;

import io.nixlkv.api.KvStore;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;

/** Opens the store that is measured. The only place that knows how. */
@FunctionalInterface
interface StoreFactory {
    /** Bytes of a GiB, the unit of {@code arena_gb}. */
    BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    /**
     * Opens a POSIX store of layout {@code lmcache} with {@code sync} off, whose arena can lend one batch in one piece.
     *
     * @param directory an empty one, for its files
     * @param engine the strategy's engine, or {@code auto}
     * @param pool whether it is a static pool, with slots for two batches; else objects have files of their own
     * @throws io.nixlkv.spi.StorageException if it cannot be opened; its sentence becomes the reason in the report
     * @throws ContenderException likewise
     */
    KvStore open(Path directory, Setting setting, String engine, boolean pool);

    /** Stores of a host that finds the strategies on the class path, as long as the program runs. */
    static StoreFactory host() {
        KvHost host = KvHost.start(Path.of("plugins-on-the-class-path"));
        return (directory, setting, engine, pool) -> host.open(HostConfig.parse(
                """
                use_direct_io = %s
                [store]
                layout = "lmcache"
                arena_gb = %s
                %s
                [plugin.posix]
                active = true
                engine = "%s"
                file_path = "%s"
                """.formatted(
                                setting.mode() == IoMode.DIRECT,
                                BigDecimal.valueOf(setting.workload().batchBytes())
                                        .divide(GIB)
                                        .toPlainString(),
                                pool ? slots(setting.workload()) : "",
                                engine,
                                directory),
                "benchmark",
                Map.of()));
    }

    private static String slots(Workload workload) {
        return "pool_size = " + 2 * workload.objects() + "\nslot_bytes = " + workload.bytes();
    }
}
