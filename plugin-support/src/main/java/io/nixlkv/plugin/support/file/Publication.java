package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Makes a finished temporary visible under its object's name, whole or not at all. Thread-safe.
 *
 * <p>CREATE uses a hard link, which the system refuses when the name is taken. Where a file system has no hard links, and where a
 * zero-length leftover has to be replaced, a look and a rename happen under {@link PublishLock}: atomic for every reader, and
 * without replacing among processes of this product only.
 */
final class Publication {
    private static final int ATTEMPTS = 8;

    private final boolean hardLinks;
    private final PublishLock lock;
    private final Directories directories;

    Publication(boolean hardLinks, PublishLock lock, Directories directories) {
        this.hardLinks = hardLinks;
        this.lock = lock;
        this.directories = directories;
    }

    /** Finds out which way works in {@code folder} by doing it. */
    static Publication tried(Path folder, PublishLock lock, Directories directories) throws IOException {
        Path first = Files.createFile(folder.resolve("publish-a"));
        Path second = folder.resolve("publish-b");
        boolean hardLinks = true;
        try {
            try {
                Files.createLink(second, first);
            } catch (IOException | UnsupportedOperationException refused) {
                hardLinks = false;
            }
            Files.move(first, second, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(first);
            Files.deleteIfExists(second);
        }
        return new Publication(hardLinks, lock, directories);
    }

    /** For {@code status}. */
    String describe() {
        return hardLinks
                ? "hard link"
                : "rename under a lock: objects are whole, but only processes of this product do not replace each other's";
    }

    /**
     * Publishes {@code temporary} as {@code target} unless something is there.
     *
     * @return {@link StoredObject#ABSENT} if it is published and the temporary gone; else what {@link StoredObject#length} found
     */
    long create(Path temporary, Path target, long deadline) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (hardLinks && link(temporary, target)) {
                temporary.toFile().delete();
                return StoredObject.ABSENT;
            }
            long stored = StoredObject.length(target.toFile());
            if (stored != StoredObject.ABSENT) {
                return stored;
            }
            if (replaceAbsent(temporary, target, deadline)) {
                return StoredObject.ABSENT;
            }
        }
        throw new IOException("the name was taken and freed " + ATTEMPTS + " times by others");
    }

    /** Publishes {@code temporary} as {@code target}, atomically in place of what is there. */
    void replace(Path temporary, Path target) throws IOException {
        try {
            rename(temporary, target);
        } catch (NoSuchFileException parentMissing) {
            directories.make(target.getParent());
            rename(temporary, target);
        }
    }

    private boolean link(Path temporary, Path target) throws IOException {
        try {
            try {
                Files.createLink(target, temporary);
            } catch (NoSuchFileException parentMissing) {
                directories.make(target.getParent());
                Files.createLink(target, temporary);
            }
            return true;
        } catch (FileAlreadyExistsException taken) {
            return false;
        }
    }

    private boolean replaceAbsent(Path temporary, Path target, long deadline) throws IOException {
        return lock.alone(deadline, () -> {
            if (StoredObject.length(target.toFile()) != StoredObject.ABSENT) {
                return false;
            }
            replace(temporary, target);
            return true;
        });
    }

    private static void rename(Path temporary, Path target) throws IOException {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    }
}
