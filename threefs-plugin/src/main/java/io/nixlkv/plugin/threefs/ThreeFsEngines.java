package io.nixlkv.plugin.threefs;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.nativeio.UsrbioLibrary;
import io.nixlkv.plugin.support.file.FileBackend;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.plugin.support.file.NativeEngines;
import io.nixlkv.plugin.support.file.NativeSettings;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.nixl.NixlFiles;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.nixl.NixlTrial;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The engines of 3FS, best first. */
final class ThreeFsEngines {
    static final String USRBIO = "usrbio";
    static final String NIXL = NixlSettings.ENGINE;
    static final String POSIX = "posix";
    static final List<String> NAMES = List.of(USRBIO, POSIX, NIXL);

    private static final String PLUGIN = "HF3FS";
    private static final int SUBMITTERS = 2;
    private static final int QUEUE = 256;

    private ThreeFsEngines() {}

    /** Why {@code engine} cannot serve these values on a right mount; empty if it can. */
    static Optional<String> problem(String engine, StrategyConfig config) {
        return switch (engine) {
            case USRBIO -> usrbioProblem(config);
            case NIXL ->
                NixlEngine.problem(PLUGIN)
                        .or(() -> NixlTrial.problem(nixlSettings(config, 1), Storage.FILES, null, false));
            default -> Optional.empty();
        };
    }

    private static Optional<String> usrbioProblem(StrategyConfig config) {
        if (ThreeFsParameters.memory(config).equals(ThreeFsParameters.DRAM_ZC)) {
            return Optional.of(
                    "engine usrbio copies through a buffer of its own: mem_config must be dram or auto, or the"
                            + " engine nixl");
        }
        Optional<String> absent = NativeIo.unavailableReason();
        if (absent.isPresent()) {
            return absent;
        }
        try {
            UsrbioLibrary library = UsrbioLibrary.open();
            Path mount = ThreeFsParameters.mount(config);
            return library.mountOf(mount.toString()).isPresent()
                    ? Optional.empty()
                    : Optional.of("3FS's library says that " + mount + " is not on 3FS");
        } catch (IllegalStateException unloaded) {
            return Optional.of(unloaded.getMessage() + "; install 3FS's client (" + UsrbioLibrary.NAME
                    + ") where the loader looks, or set LD_LIBRARY_PATH");
        }
    }

    static StorageBackend open(String engine, OpenContext context) {
        StrategyConfig config = context.config();
        FileSettings settings = ThreeFsParameters.settings(config);
        if (engine.equals(NIXL)) {
            return NixlFiles.open(
                    ThreeFsStrategy.NAME, settings, nixlSettings(config, context.lanes()), context.arena());
        }
        if (engine.equals(USRBIO)) {
            UsrbioLibrary library = UsrbioLibrary.open();
            String mount = library.mountOf(ThreeFsParameters.mount(config).toString())
                    .orElseThrow(() -> new StorageException(Status.UNAVAILABLE, "3FS's library lost the mount"));
            return FileBackend.open(settings, new UsrbioLanes(library, mount, ThreeFsParameters.entries(config)));
        }
        return NativeEngines.problem(Kind.THREADS).isPresent()
                ? FileBackend.open(settings)
                : FileBackend.open(settings, new NativeSettings(Kind.THREADS, SUBMITTERS, QUEUE), context.arena());
    }

    /**
     * Shared memory is laid over the arena by each agent anew, and only the last one would see its own: it needs a single lane.
     */
    private static NixlSettings nixlSettings(StrategyConfig config, int lanes) {
        String memory = ThreeFsParameters.memory(config);
        if (lanes > 1 && memory.equals(ThreeFsParameters.DRAM_ZC)) {
            throw new StorageException(
                    Status.INVALID,
                    ThreeFsStrategy.NAME
                            + ": mem_config = dram_zc shares the arena with one worker only; set num_workers = 1"
                            + " or mem_config = dram");
        }
        boolean several = lanes > 1 && memory.equals(ThreeFsParameters.AUTO);
        int entries = ThreeFsParameters.entries(config);
        return NixlSettings.of(
                        PLUGIN,
                        Map.of(
                                ThreeFsParameters.MOUNT,
                                ThreeFsParameters.mount(config).toString(),
                                ThreeFsParameters.MEMORY,
                                several ? ThreeFsParameters.DRAM : memory,
                                ThreeFsParameters.ENTRIES,
                                Integer.toString(entries)),
                        entries)
                .silently();
    }
}
