package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One directory of a file backend, open: where its objects, temporaries and pools are and what works there. Thread-safe. */
final class FileRoot implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileRoot.class);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path path;
    private final String prefix;
    private final int prefixBytes;
    private final FileModes modes;
    private final FileAttribute<?> fileMode;
    private final Directories directories;
    private final PublishLock publishLock;
    private final LiveInstance instance;
    private final Path temporaryFolder;
    private final String temporaries;
    private final Publication publication;
    private final DirectIo directIo;
    private final AtomicLong next = new AtomicLong();

    private FileRoot(Path path, FileSettings settings) throws IOException {
        this.path = path;
        modes = settings.modes();
        prefix = path.toString().endsWith("/") ? path.toString() : path + "/";
        prefixBytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        fileMode = modes.ofFiles();
        directories = new Directories(path, modes);
        Path work = path.resolve(ObjectNames.RESERVED);
        directories.make(work);
        new LeftoverSweep(work, System.nanoTime() + SWEEP_NANOS).run();
        publishLock = new PublishLock(work, modes);
        instance = LiveInstance.enter(work, modes);
        temporaryFolder = instance.folder();
        temporaries = temporaryFolder + "/";
        try {
            publication = Publication.tried(instance.folder(), publishLock, directories);
            directIo = settings.directIo() ? DirectIo.tried(instance.folder()) : DirectIo.notConfigured();
        } catch (IOException | RuntimeException failed) {
            instance.close();
            throw failed;
        }
        if (!instance.locked()) {
            LOG.warn("the file system of {} has no locks: temporaries of a crash are not swept there", path);
        }
        if (settings.directIo() && !directIo.usable()) {
            LOG.warn(
                    "{}: direct I/O {}; transfers in this directory go through the page cache",
                    path,
                    directIo.reason());
        }
    }

    /**
     * Opens {@code directory}, making it and its parents where they are missing.
     *
     * @throws StorageException naming the directory and the reason; nothing is left open
     */
    static FileRoot open(Path directory, FileSettings settings) {
        Path wanted = directory.toAbsolutePath().normalize();
        try {
            if (!Files.isDirectory(wanted)) {
                Directories made = new Directories(DirectoryCheck.nearestExisting(wanted), settings.modes());
                made.make(wanted);
                made.sync(wanted);
            }
            return new FileRoot(wanted.toRealPath(), settings);
        } catch (IOException failed) {
            FileFailure failure = FileFailure.ofWriting(failed, wanted.toFile());
            throw new StorageException(
                    failure.status(), failure.sentence(settings.store() + ": cannot open directory " + wanted), failed);
        }
    }

    Path path() {
        return path;
    }

    /** UTF-8 bytes of its path with the slash that follows. */
    int prefixBytes() {
        return prefixBytes;
    }

    /** The path of a name that {@link ObjectNames} found right. */
    Path resolve(String name) {
        return Path.of(prefix + name);
    }

    /** The same as text. */
    String pathOf(String name) {
        return prefix + name;
    }

    /** The folder of its temporaries. */
    Path temporaries() {
        return temporaryFolder;
    }

    /** A fresh path for a temporary; nothing is made. */
    Path nextTemporary() {
        return Path.of(temporaries + next.getAndIncrement());
    }

    /** Makes the folder of temporaries again after somebody removed it. */
    void restoreTemporaries() throws IOException {
        directories.make(instance.folder());
    }

    Path pools() throws IOException {
        Path pools = path.resolve(ObjectNames.RESERVED).resolve(PoolClaim.FOLDER);
        directories.make(pools);
        return pools;
    }

    FileModes modes() {
        return modes;
    }

    FileAttribute<?> fileMode() {
        return fileMode;
    }

    Directories directories() {
        return directories;
    }

    Publication publication() {
        return publication;
    }

    DirectIo directIo() {
        return directIo;
    }

    /** Removes its temporaries; its objects stay. */
    @Override
    public void close() {
        try (instance) {
            publishLock.close();
        } catch (IOException busy) {
            LOG.warn("{}: the publication lock could not be closed in order: {}", path, busy.toString());
        }
    }
}
