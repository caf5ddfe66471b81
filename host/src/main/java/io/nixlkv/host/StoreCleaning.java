package io.nixlkv.host;

import io.nixlkv.host.cleaner.Cleaner;
import io.nixlkv.host.cleaner.CleaningReport;
import io.nixlkv.host.cleaner.CleaningTask;
import io.nixlkv.host.cleaner.CleaningWatch;
import io.nixlkv.host.cleaner.ForegroundPass;
import io.nixlkv.host.cleaner.Ownership;
import io.nixlkv.host.config.CleanerSettings;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.host.selection.Selection;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a store has a cleaner, and why not.
 *
 * @param reason why it has none; empty if it has one
 * @param directories that are cleaned
 */
record StoreCleaning(
        String reason, List<Path> directories, StoreSettings store, CleanerSettings settings, boolean longLived) {
    private static final String PAGES = "hicache";

    /** A short command that was told to have a cleaner is over before its first pass; a long one profits. */
    private static final Duration BRIEFLY = Duration.ofSeconds(30);

    private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(10);

    static StoreCleaning of(HostConfig config, Selection selection, StrategyConfig part, boolean longLived) {
        StoreSettings store = config.store();
        CleanerSettings settings = config.cleaner();
        boolean files = selection.engine().segments().contains(Segment.FILE_SEG);
        List<Path> directories = files ? directories(selection.strategy().info(), part) : List.of();
        String reason = unable(store, selection, files, directories);
        if (reason.isEmpty()) {
            reason = unwanted(store, settings, longLived);
        }
        return new StoreCleaning(reason, directories, store, settings, longLived);
    }

    /** The directories that a strategy was given. */
    static List<Path> directories(StrategyInfo info, StrategyConfig config) {
        return info.parameters().stream()
                .filter(parameter -> parameter.type() == Parameter.Type.PATHS)
                .flatMap(parameter -> config.paths(parameter.name()).stream())
                .map(Path::of)
                .toList();
    }

    private static String unable(StoreSettings store, Selection selection, boolean files, List<Path> directories) {
        if (!files) {
            return "not for object storage: have a lifecycle rule of the store remove old objects";
        } else if (store.poolSize() > 0) {
            return "not for a static pool: it has the size of its slots";
        } else if (directories.isEmpty()) {
            return "not for " + selection.strategy().info().name() + ": it does not tell where its files are";
        }
        return "";
    }

    private static String unwanted(StoreSettings store, CleanerSettings settings, boolean longLived) {
        int rank = store.layoutSettings().tpRank();
        if (settings.written().isPresent()) {
            return settings.written().get() ? "" : "off: l3_cleaner_enabled = false";
        } else if (!store.layout().equals(PAGES)) {
            return "off with layout " + store.layout() + " unless l3_cleaner_enabled = true is written";
        } else if (rank != 0) {
            return "off: this is rank " + rank + ", and rank 0 cleans";
        }
        return longLived ? "" : "not in a single command; a host of this configuration has one";
    }

    /** The cleaner of the store on {@code backend}, not started; empty if it has none. */
    Optional<Cleaner> cleaner(StorageBackend backend) {
        if (!reason.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Cleaner(
                directories,
                Ownership.of(store, false),
                settings,
                Ownership.scope(store),
                backend::sweep,
                longLived ? Duration.ZERO : BRIEFLY));
    }

    /**
     * One pass now, whatever the configuration says about the cleaner.
     *
     * @param dryRun whether nothing is deleted; then the store is not opened either
     * @param anyModel whether objects of other models than the store's go as well
     * @throws StorageException UNSUPPORTED if the store keeps no files to clean; UNAVAILABLE if it cannot be looked at
     */
    static CleaningReport now(
            HostConfig config, Selection selection, boolean dryRun, boolean anyModel, CleaningWatch watch) {
        StrategyInfo info = selection.strategy().info();
        StrategyConfig part = WorkerPart.of(selection.config(), info, config.modes());
        boolean files = selection.engine().segments().contains(Segment.FILE_SEG);
        List<Path> directories = files ? directories(info, part) : List.of();
        String unable = unable(config.store(), selection, files, directories);
        if (!unable.isEmpty()) {
            throw new StorageException(Status.UNSUPPORTED, "there is nothing to clean: " + unable);
        }
        try {
            if (!dryRun) {
                sweep(config, selection, part);
            }
            CleaningTask task = new CleaningTask(
                    existing(directories),
                    Ownership.of(config.store(), anyModel),
                    config.cleaner(),
                    dryRun,
                    true,
                    CleaningTask.FILES_IN_FOREGROUND);
            return ForegroundPass.run(task, Ownership.scope(config.store()), watch);
        } catch (IOException failed) {
            throw new StorageException(
                    Status.UNAVAILABLE,
                    "cannot clean " + directories + ": " + failed + "; correct the directory",
                    failed);
        }
    }

    private static List<Path> existing(List<Path> directories) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path directory : directories) {
            if (Files.exists(directory)) {
                real.add(directory.toRealPath());
            }
        }
        return real;
    }

    /** Opening a store sweeps what ended processes left in it, up to a point; asked for, it goes on. */
    private static void sweep(HostConfig config, Selection selection, StrategyConfig part) {
        MemoryArena arena = new DirectArena(MemoryArena.ALIGNMENT);
        OpenContext context = new OpenContext(selection.engine().engine(), part, arena, 1);
        StorageBackend backend = BoundedOpening.within(
                config.store().deadline(),
                StoragePlaces.named(selection.strategy().info(), part),
                BoundedOpening.Storage.FILES,
                () -> selection.strategy().strategy().open(context),
                StorageBackend::close);
        try (backend) {
            backend.sweep(System.nanoTime() + SWEEP_PATIENCE.toNanos());
        }
    }
}
