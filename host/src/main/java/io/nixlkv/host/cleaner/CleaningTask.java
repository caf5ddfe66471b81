package io.nixlkv.host.cleaner;

import io.nixlkv.host.config.CleanerSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * What a pass is to do.
 *
 * @param directories of the store, in its order; one that is missing is empty
 * @param ownership which files may go
 * @param settings watermarks and budget
 * @param dryRun whether nothing is deleted, only reckoned
 * @param surveysAlways whether the objects are counted by model even if nothing has to go
 * @param mostFiles files that are remembered at once, at least 1
 */
public record CleaningTask(
        List<Path> directories,
        Ownership ownership,
        CleanerSettings settings,
        boolean dryRun,
        boolean surveysAlways,
        int mostFiles) {
    /** Files that a background pass remembers at once: 35 to 50 MB. */
    public static final int FILES_IN_BACKGROUND = 1 << 18;

    /** Files that a pass in the foreground remembers at once. */
    public static final int FILES_IN_FOREGROUND = 1 << 20;

    public CleaningTask {
        directories = List.copyOf(directories);
    }
}
