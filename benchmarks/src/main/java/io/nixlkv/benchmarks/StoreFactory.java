package io.nixlkv.benchmarks;

import io.nixlkv.api.KvStore;
import java.nio.file.Path;

/** Opens the store that is measured. The only place that knows how. */
@FunctionalInterface
interface StoreFactory {
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

    /** A build without the host room has no store of its own; then peers can still be compared with each other. */
    static StoreFactory host() {
        return (directory, mode, arenaBytes, engine) -> {
            throw new ContenderException("this build has no host room; compare peers, as with --subject syscalls:2");
        };
    }
}
