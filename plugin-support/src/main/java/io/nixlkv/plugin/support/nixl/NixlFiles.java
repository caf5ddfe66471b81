package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.DirectoryCheck;
import io.nixlkv.plugin.support.file.FileBackend;
import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Engine {@code nixl} of a strategy whose native plugin starts a driver: offered and opened only after a trial in a child JVM. */
public final class NixlFiles {
    private NixlFiles() {}

    /**
     * The engine's offer. Configuration and directories are examined first, the driver last; nothing is changed.
     *
     * @param wrong what is wrong with the strategy's own values
     */
    public static EngineOffer offer(
            String store, Set<Segment> segments, StrategyConfig config, Optional<String> wrong, NixlSettings settings) {
        Optional<String> problem = wrong.or(() -> FileParameters.problem(config));
        if (problem.isPresent()) {
            return EngineOffer.usable(
                            NixlSettings.ENGINE,
                            segments,
                            FileParameters.plain(store).libraryCapabilities())
                    .because(problem.get());
        }
        FileSettings files = FileParameters.settings(store, config);
        EngineOffer offer = EngineOffer.usable(NixlSettings.ENGINE, segments, files.libraryCapabilities())
                .without(NixlEngine.problem(settings.plugin()));
        if (offer.unavailable().isPresent()) {
            return offer;
        }
        return DirectoryCheck.problem(files.directories())
                .map(offer::because)
                .orElseGet(() -> offer.without(NixlTrial.problem(settings, Storage.FILES, null, false)));
    }

    /**
     * Opens the engine after the plugin has written and read a file in every directory, in a child JVM.
     *
     * @throws StorageException if a value is wrong or the plugin fails; nothing is left open
     */
    public static StorageBackend open(
            String store, StrategyConfig config, Optional<String> wrong, NixlSettings settings, MemoryArena arena) {
        wrong.or(() -> FileParameters.problem(config)).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, store + ": " + problem);
        });
        return open(store, FileParameters.settings(store, config), settings, arena);
    }

    /** The same with settings that are known to be right. */
    public static StorageBackend open(String store, FileSettings files, NixlSettings settings, MemoryArena arena) {
        NixlEngine.problem(settings.plugin()).ifPresent(problem -> {
            throw unavailable(store, problem);
        });
        StorageBackend backend = FileBackend.open(files, NixlAgents.open(settings, Storage.FILES, arena));
        for (Path directory : files.directories()) {
            Optional<String> problem =
                    NixlTrial.problem(settings, Storage.FILES, directory.toAbsolutePath(), files.directIo());
            if (problem.isPresent()) {
                backend.close();
                throw unavailable(store, problem.get());
            }
        }
        return backend;
    }

    private static StorageException unavailable(String store, String problem) {
        return new StorageException(Status.UNAVAILABLE, store + " engine " + NixlSettings.ENGINE + ": " + problem);
    }
}
