package io.nixlkv.plugin.nixl;

import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.nixl.NixlCatalog;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlFiles;
import io.nixlkv.plugin.support.nixl.NixlObjectBackend;
import io.nixlkv.plugin.support.nixl.NixlObjectNames;
import io.nixlkv.plugin.support.nixl.NixlPlugin;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.nixl.NixlTrial;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A native plugin as an engine, files or objects by the segments it reports.
 *
 * @param store name of the strategy that offers it, for messages
 */
record Adopted(String store, NixlPlugin plugin) {
    static final Set<Segment> FILE_SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.FILE_SEG);

    private static final NixlObjectNames NAMES = NixlObjectNames.any(1024);
    private static final int MAX_BATCH = 1024;

    static Adopted of(String store, NixlPlugin plugin) {
        return new Adopted(store, plugin);
    }

    static StorageException noEngine(String store, String engine, NixlCatalog catalog) {
        return new StorageException(
                Status.INVALID,
                store + " has no engine \"" + engine + "\"; "
                        + catalog.problem()
                                .orElseGet(() -> "NIXL has the plugins "
                                        + catalog.plugins().stream()
                                                .map(NixlPlugin::name)
                                                .toList()));
    }

    /** The offer; that a plugin is of the wrong kind is the capability gate's to say. */
    EngineOffer offer(String engine, StrategyConfig config) {
        Capabilities can = objects()
                ? NixlObjectBackend.capabilities(NAMES, Capabilities.MAX_OBJECT_BYTES, MAX_BATCH)
                : FileParameters.plain(store).libraryCapabilities();
        EngineOffer offer = EngineOffer.usable(engine, plugin.segments(), can).without(plugin.problem());
        return offer.lacking() ? offer : wrong(config).map(offer::because).orElse(offer);
    }

    private boolean files() {
        return plugin.segments().contains(Segment.FILE_SEG);
    }

    private boolean objects() {
        return plugin.segments().contains(Segment.OBJ_SEG);
    }

    private Optional<String> wrong(StrategyConfig config) {
        return AdoptedParameters.problem(config).or(() -> files() ? FileParameters.problem(config) : Optional.empty());
    }

    StorageBackend open(OpenContext context) {
        StrategyConfig config = context.config();
        wrong(config).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, store + ": " + problem);
        });
        plugin.problem()
                .or(this::wrongKind)
                .or(() -> NixlEngine.problem(plugin.name()))
                .ifPresent(problem -> {
                    throw new StorageException(
                            Status.UNAVAILABLE, store + ": NIXL's " + plugin.name() + ": " + problem);
                });
        Map<String, String> passed = AdoptedParameters.passed(config, plugin.options());
        NixlSettings settings = NixlSettings.of(plugin.name(), passed, (int) config.number(AdoptedParameters.SLOTS))
                .silently();
        if (!objects()) {
            return NixlFiles.open(store, config, Optional.empty(), settings, context.arena());
        }
        NixlTrial.problem(settings, Storage.OBJECTS, null, false).ifPresent(problem -> {
            throw new StorageException(Status.UNAVAILABLE, store + ": " + problem);
        });
        return NixlObjectBackend.open(store, settings, NAMES, context.arena());
    }

    private Optional<String> wrongKind() {
        return plugin.segments().contains(Segment.DRAM_SEG) && files() != objects()
                ? Optional.empty()
                : Optional.of("a storage plugin has DRAM_SEG and exactly one of FILE_SEG and OBJ_SEG, this one has "
                        + plugin.segments());
    }
}
