package io.nixlkv.host.cleaner;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that fills up: a file system with one directory of the store or several, or the budget of the store's own bytes. Not
 * thread-safe.
 */
abstract class Volume {
    private String name;
    private long used;
    private long size;
    private long usedBefore;
    private long freed;
    private boolean shows = true;

    private Volume(String name) {
        this.name = name;
    }

    /** The file system of a directory. */
    static final class FileSystem extends Volume {
        private final List<Integer> roots = new ArrayList<>();
        private final File directory;

        FileSystem(Path directory) {
            super(directory.toString());
            this.directory = directory.toFile();
        }

        /** A further directory of the store on this file system. */
        void add(int root, Path path) {
            if (!roots.isEmpty()) {
                addName(path.toString());
            }
            roots.add(root);
        }

        @Override
        boolean holds(int root) {
            return roots.contains(root);
        }

        /** As {@code df} reckons: what only root may still use counts neither as used nor as free. */
        @Override
        void measure() throws IOException {
            long total = directory.getTotalSpace();
            long taken = total - directory.getFreeSpace();
            if (total <= 0) {
                throw new IOException("the file system of " + directory + " does not tell its size");
            }
            set(taken, taken + directory.getUsableSpace());
        }
    }

    /** The store's own bytes, as surveyed, against a limit. */
    static final class Budget extends Volume {
        Budget(long limit) {
            super("l3_cleaner_capacity_gb");
            set(0, limit);
        }

        @Override
        boolean holds(int root) {
            return true;
        }

        @Override
        void measure() {
            // what was surveyed, less what is gone since
        }

        void surveyed(long bytes) {
            set(bytes, size());
        }
    }

    /** Whether the objects of a directory count here. */
    abstract boolean holds(int root);

    /** Asks anew. */
    abstract void measure() throws IOException;

    final void set(long usedBytes, long sizeBytes) {
        used = usedBytes;
        size = sizeBytes;
    }

    /** Measures and begins to reckon what is freed. */
    final void begin() throws IOException {
        measure();
        usedBefore = used;
        freed = 0;
        shows = true;
    }

    /** Objects are gone. @param reckons whether they are taken off what was measured */
    final void free(long bytes, boolean reckons) {
        freed += bytes;
        if (reckons) {
            used -= bytes;
        }
    }

    final void addName(String more) {
        name += ", " + more;
    }

    final String name() {
        return name;
    }

    final long used() {
        return used;
    }

    final long size() {
        return size;
    }

    /** Bytes freed since {@link #begin}. */
    final long freed() {
        return freed;
    }

    /** How many bytes fewer are used than when it began; below 0 if there are more. */
    final long fell() {
        return usedBefore - used;
    }

    final double percent() {
        return size == 0 ? 0 : 100.0 * used / size;
    }

    /** Bytes that have to go until less than {@code percent} is used; 0 or less if that is so. */
    final long above(double percent) {
        return used - (long) Math.ceil(size * percent / 100) + 1;
    }

    /** What is deleted here does not show. */
    final void giveUp() {
        shows = false;
    }

    final boolean shows() {
        return shows;
    }
}
