package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a file backend is opened with. Immutable.
 *
 * @param store name of the strategy, for messages
 * @param directories the roots, in the order of their numbers; at least one
 * @param directIo whether transfers bypass the page cache where they can
 * @param modes permissions of what is created
 */
public record FileSettings(String store, List<Path> directories, boolean directIo, FileModes modes) {
    /** Longest object name, UTF-8 bytes; leaves room for the directory within the system's 4095. */
    public static final int MAX_NAME_BYTES = 3800;

    private static final int MAX_BATCH = 1024;

    public FileSettings {
        directories = List.copyOf(directories);
        if (directories.isEmpty()) {
            throw new IllegalArgumentException("a file backend needs at least one directory");
        }
    }

    /** What the pure Java engine can do with these settings. Looks at the file systems, changes nothing, never throws. */
    public Capabilities capabilities() {
        Set<Feature> features = EnumSet.allOf(Feature.class);
        int alignment = directIo ? alignment() : 1;
        if (!directIo) {
            features.remove(Feature.DIRECT_IO);
        }
        return new Capabilities(features, alignment, Capabilities.MAX_OBJECT_BYTES, MAX_NAME_BYTES, MAX_BATCH);
    }

    /** What an engine can do that hands transfers to a library, which opens files itself. */
    public Capabilities libraryCapabilities() {
        return capabilities().without(Feature.SLOT_FILES);
    }

    private int alignment() {
        long largest = 1;
        for (Path directory : directories) {
            largest = Math.max(largest, blockSize(DirectoryCheck.nearestExisting(directory)));
        }
        return (int) largest;
    }

    /** Block size of the file system that holds {@code existing}; 1 where it is unknown or unfit for alignment. */
    static int blockSize(Path existing) {
        try {
            long size = Files.getFileStore(existing).getBlockSize();
            return size > 0 && size <= Capabilities.MAX_OBJECT_BYTES && Long.bitCount(size) == 1 ? (int) size : 1;
        } catch (IOException | UnsupportedOperationException unknown) {
            return 1;
        }
    }
}
