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
     * Opens a dynamic POSIX store of layout {@code lmcache} with {@code sync} off.
     *
     * @param directory an empty one, for its files
     * @param arenaBytes the arena must be able to lend this much in one piece
     * @param engine the strategy's engine, or {@code auto}
     * @throws io.nixlkv.spi.StorageException if it cannot be opened; its sentence becomes the reason in the report
     * @throws ContenderException likewise
     */
    KvStore open(Path directory, IoMode mode, long arenaBytes, String engine);

    /** Stores of a host that finds the strategies on the class path, as long as the program runs. */
    static StoreFactory host() {
        KvHost host = KvHost.start(Path.of("plugins-on-the-class-path"));
        return (directory, mode, arenaBytes, engine) -> host.open(HostConfig.parse(
                """
                use_direct_io = %s
                [store]
                layout = "lmcache"
                arena_gb = %s
                [plugin.posix]
                active = true
                engine = "%s"
                file_path = "%s"
                """.formatted(
                                mode == IoMode.DIRECT,
                                BigDecimal.valueOf(arenaBytes).divide(GIB).toPlainString(),
                                engine,
                                directory),
                "benchmark",
                Map.of()));
    }
}
