package io.nixlkv.spi;

import java.util.List;
import java.util.Optional;

/**
 * One storage technology, such as POSIX files or S3 objects. Listed by its class name in {@code
 * META-INF/services/io.nixlkv.spi.StorageStrategy}; the same file serves {@link java.util.ServiceLoader} and the host's plugin
 * folder.
 *
 * <p>Stateless and thread-safe. The no-argument constructor does no I/O and loads no native code.
 */
public interface StorageStrategy {

    /** Name, aliases and parameters. Constant. */
    StrategyInfo info();

    /**
     * The engines that could serve {@code config}, best first, the unusable ones with a reason. Looks at files and devices only,
     * changes nothing, takes at most a second and never throws.
     */
    List<EngineOffer> probe(StrategyConfig config);

    /**
     * The same for an arena of a certain memory. A strategy whose engines reach memory of a device only where native code says so
     * finds that out here and not in {@link #probe(StrategyConfig)}; it may take ten seconds then.
     *
     * @param memory {@link Segment#DRAM_SEG} or {@link Segment#VRAM_SEG}
     */
    default List<EngineOffer> probe(StrategyConfig config, Segment memory) {
        return probe(config);
    }

    /**
     * Opens the engine {@link OpenContext#engine()} and nothing else.
     *
     * @return the backend, owned by the caller
     * @throws StorageException if it cannot be opened; nothing is left open then
     */
    StorageBackend open(OpenContext context);

    /**
     * A strategy for a name that no jar declares. Only a strategy that stands for many technologies, such as native NIXL with
     * plugins of its own, answers.
     */
    default Optional<StorageStrategy> adopt(String name) {
        return Optional.empty();
    }
}
