package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    private final MountPoint mount;
    private final String prefix;
    private final int prefixBytes;
    private final FileModes modes;
    private final FileAttribute<?> fileMode;
    private final Directories directories;
    private final PublishLock publishLock;
    private final LinkRule links;
    private final FileSettings settings;
    private final AtomicLong next = new AtomicLong();
    private final Object entry = new Object();

    /** Absent while nothing can be written there: objects can be read all the same, and deleted from a full file system. */
    private volatile Workplace workplace;

    /** Why there is no workplace, for {@code status}. */
    private final String barred;

    private boolean closed;

    private FileRoot(Path path, FileSettings settings) throws IOException {
        this.path = path;
        this.settings = settings;
        mount = MountPoint.of(path);
        modes = settings.modes();
        prefix = path.toString().endsWith("/") ? path.toString() : path + "/";
        prefixBytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        fileMode = modes.ofFiles();
        directories = new Directories(path, modes);
        links = new LinkRule(path);
        publishLock = new PublishLock(path.resolve(ObjectNames.RESERVED), modes);
        barred = barred();
    }

    /** Enters; why not, if objects can be read without it. */
    private String barred() throws IOException {
        try {
            enter();
            return "";
        } catch (IOException failed) {
            FileFailure failure = FileFailure.ofWriting(failed, path.toFile());
            switch (failure.status()) {
                case NO_SPACE -> {
                    LOG.warn(
                            "{}: {}; until then objects can only be read and deleted",
                            path,
                            failure.sentence("cannot write"));
                    return "not tried: the file system was full when it was opened";
                }
                case DENIED -> {
                    DirectoryCheck.requireReadable(path);
                    LOG.warn(
                            "{}: {}; until then objects can only be read",
                            path,
                            failure.sentence("opened for reading"));
                    return "none, opened for reading: " + failure.reason();
                }
                default -> throw failed;
            }
        }
    }

    /** Makes ready for writing, if it is not yet. */
    Workplace enter() throws IOException {
        Workplace present = workplace;
        if (present != null) {
            return present;
        }
        synchronized (entry) {
            if (workplace == null) {
                if (closed) {
                    throw new IOException("the store is closed");
                }
                mount.require();
                Path work = path.resolve(ObjectNames.RESERVED);
                directories.make(work);
                // where nothing can be written nothing can be swept
                DirectoryCheck.requireWritable(work);
                new LeftoverSweep(work, System.nanoTime() + SWEEP_NANOS).run();
                workplace = Workplace.enter(work, settings, publishLock, directories);
                if (settings.directIo() && !workplace.directIo().usable()) {
                    LOG.warn(
                            "{}: direct I/O {}; transfers in this directory go through the page cache",
                            path,
                            workplace.directIo().reason());
                }
            }
            return workplace;
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
                made(made, wanted);
                made.sync(wanted);
                LOG.info("{}: made directory {}, which was not there", settings.store(), wanted);
            }
            return new FileRoot(wanted.toRealPath(), settings);
        } catch (IOException failed) {
            FileFailure failure = FileFailure.ofWriting(failed, wanted.toFile());
            throw new StorageException(
                    failure.status(), failure.sentence(settings.store() + ": cannot open directory " + wanted), failed);
        }
    }

    /** Virtual file systems such as {@code /proc} let a person write, and answer that nothing is there. */
    private static void made(Directories directories, Path wanted) throws IOException {
        try {
            directories.make(wanted);
        } catch (NoSuchFileException virtual) {
            throw new FileSystemException(
                    wanted.toString(), null, "it cannot be made: this file system makes no directories");
        }
    }

    Path path() {
        return path;
    }

    /** UTF-8 bytes of its path with the slash that follows. */
    int prefixBytes() {
        return prefixBytes;
    }

    /** Removes what ended processes left here, until the deadline. */
    void sweep(long deadline) {
        if (writable()) {
            new LeftoverSweep(path.resolve(ObjectNames.RESERVED), deadline).run();
        }
    }

    /** The path of a name that {@link ObjectNames} found right. */
    Path resolve(String name) {
        return Path.of(prefix + name);
    }

    /** The same as text. */
    String pathOf(String name) {
        return prefix + name;
    }

    /** @throws OutsideException if a link among the folders of {@code object} leads outside this directory */
    void requireInside(Path object) throws IOException {
        links.require(object);
    }

    /** Whether it could be written to when it was opened, or since. */
    boolean writable() {
        return workplace != null;
    }

    /** The folder of its temporaries, of a root that is {@link #writable}. */
    Path temporaries() {
        return workplace.instance().folder();
    }

    /** A fresh path for a temporary; nothing is made. */
    Path nextTemporary() throws IOException {
        return Path.of(enter().temporaries() + next.getAndIncrement());
    }

    /** Makes the folder of temporaries again after somebody removed it. */
    void restoreTemporaries() throws IOException {
        LiveInstance instance = enter().instance();
        synchronized (entry) {
            if (closed) {
                // nobody would ever remove what a transfer that outlived the store leaves there
                throw new IOException("the store is closed");
            }
            mount.require();
            directories.make(path.resolve(ObjectNames.RESERVED));
            instance.restore();
        }
    }

    Path pools() throws IOException {
        enter();
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

    Publication publication() throws IOException {
        return enter().publication();
    }

    DirectIo directIo() {
        Workplace present = workplace;
        return present == null ? new DirectIo(0, barred) : present.directIo();
    }

    /** How objects become visible, for {@code status}. */
    String describePublication() {
        Workplace present = workplace;
        return present == null ? barred : present.publication().describe();
    }

    /** Removes its temporaries; its objects stay. */
    @Override
    public void close() {
        synchronized (entry) {
            closed = true;
        }
        Workplace leaving = workplace;
        try {
            publishLock.close();
        } catch (IOException busy) {
            LOG.warn("{}: the publication lock could not be closed in order: {}", path, busy.toString());
        } finally {
            if (leaving != null) {
                leaving.close();
            }
        }
    }
}
