package io.nixlkv.plugin.support.file;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sign that an open backend lives: {@code <uuid>.lock}, locked, and beside it the folder {@code <uuid>} with its
 * temporaries. The operating system releases the lock with the process, however it ends, and others then sweep the folder.
 *
 * <p>The first half of the uuid is the process's own. It keeps an instance from opening the lock files of another one in the same
 * process: the system drops all of a process's locks on a file as soon as the process closes any descriptor of it.
 */
final class LiveInstance implements AutoCloseable {
    static final String LOCK_SUFFIX = ".lock";

    private static final Logger LOG = LoggerFactory.getLogger(LiveInstance.class);
    private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final int ATTEMPTS = 16;

    private final Path lockFile;
    private final Path folder;
    private final FileChannel channel;
    private final boolean locked;
    private final FileModes modes;
    private final List<FileChannel> restored = new ArrayList<>();

    private LiveInstance(Path lockFile, Path folder, FileChannel channel, boolean locked, FileModes modes) {
        this.lockFile = lockFile;
        this.folder = folder;
        this.channel = channel;
        this.locked = locked;
        this.modes = modes;
    }

    /** Enters {@code work}, an existing folder. */
    static LiveInstance enter(Path work, FileModes modes) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            UUID id = new UUID(process(), ThreadLocalRandom.current().nextLong());
            Path lockFile = work.resolve(id + LOCK_SUFFIX);
            FileChannel channel = FileChannel.open(lockFile, CREATE, modes.ofFiles());
            try {
                Boolean locked = lock(channel);
                // a sweeping process may take a file for dead between its creation and its lock
                if (locked != null && Files.exists(lockFile)) {
                    Path folder = Files.createDirectory(work.resolve(id.toString()), modes.ofDirectories());
                    return new LiveInstance(lockFile, folder, channel, locked, modes);
                }
            } catch (IOException | RuntimeException failed) {
                try (channel) {
                    Files.deleteIfExists(lockFile);
                }
                throw failed;
            }
            channel.close();
        }
        throw new IOException("other processes swept the new lock file " + ATTEMPTS + " times");
    }

    /** True: locked. False: the file system has no locks. Null: another process holds it. */
    private static Boolean lock(FileChannel channel) {
        try {
            FileLock lock = channel.tryLock();
            return lock == null ? null : Boolean.TRUE;
        } catch (IOException unsupported) {
            return Boolean.FALSE;
        }
    }

    /** A number of this process, different from those of processes before it and beside it. */
    static long process() {
        ProcessHandle self = ProcessHandle.current();
        long started = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return self.pid() << 42 ^ started;
    }

    /** The folder of its temporaries. */
    Path folder() {
        return folder;
    }

    /** Whether others can see that it lives; without locks nobody sweeps. */
    boolean locked() {
        return locked;
    }

    /**
     * Makes sign and folder again after somebody removed them. Not for two threads at once.
     *
     * @throws IOException if they cannot be made
     */
    void restore() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS && !Files.exists(lockFile); attempt++) {
            try {
                FileChannel sign = FileChannel.open(lockFile, CREATE, modes.ofFiles());
                // kept open: closing it would drop the lock
                restored.add(sign);
                lock(sign);
            } catch (FileAlreadyExistsException nativeCodeWasFaster) {
                LOG.debug("{} is there again", lockFile);
            }
        }
        try {
            Files.createDirectory(folder, modes.ofDirectories());
        } catch (FileAlreadyExistsException there) {
            LOG.debug("{} is there again", folder);
        }
    }

    /** Removes its folder with all temporaries, then its sign. */
    @Override
    public void close() {
        try (channel) {
            File[] left = folder.toFile().listFiles();
            for (File temporary : left == null ? new File[0] : left) {
                Files.deleteIfExists(temporary.toPath());
            }
            Files.deleteIfExists(folder);
            Files.deleteIfExists(lockFile);
            for (FileChannel sign : restored) {
                sign.close();
            }
        } catch (IOException left) {
            LOG.warn(
                    "temporaries of a closed store remain in {} and are swept by the next one: {}",
                    folder,
                    left.toString());
        }
    }
}
