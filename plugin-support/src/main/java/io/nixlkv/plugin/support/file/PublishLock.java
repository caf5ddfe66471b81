package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Orders, among all processes of this product on one root, the rare publications that need a look and a rename as one step.
 * Thread-safe.
 */
final class PublishLock implements AutoCloseable {
    private static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    private static final String REMOVED = "";
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What runs under the lock. */
    interface Step {
        boolean run() throws IOException;
    }

    private final Path file;
    private final FileModes modes;
    private final ReentrantLock threads = new ReentrantLock();
    private FileChannel channel;
    private String opened = REMOVED;

    PublishLock(Path work, FileModes modes) {
        file = work.resolve("publish.guard");
        this.modes = modes;
    }

    /**
     * Runs {@code step} alone.
     *
     * @param deadline {@link System#nanoTime()} value
     * @return what the step returned
     * @throws IOException if the lock is not free before the deadline
     */
    boolean alone(long deadline, Step step) throws IOException {
        acquireThreads(deadline);
        try {
            while (true) {
                open();
                try (FileLock held = acquire(deadline)) {
                    // a lock on a file that was removed excludes nobody who came later
                    if (!opened.equals(REMOVED) && opened.equals(identity())) {
                        return held.isValid() && step.run();
                    }
                }
                channel.close();
                pause(deadline);
            }
        } finally {
            threads.unlock();
        }
    }

    private void open() throws IOException {
        if (channel == null || !channel.isOpen()) {
            channel = FileChannel.open(file, OPTIONS, modes.ofFiles());
            opened = identity();
        }
    }

    /** What tells the file from its successor under the same name. */
    private String identity() throws IOException {
        try {
            return String.valueOf(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException removed) {
            return REMOVED;
        }
    }

    private void acquireThreads(long deadline) throws IOException {
        while (!threads.tryLock()) {
            pause(deadline);
        }
    }

    private FileLock acquire(long deadline) throws IOException {
        while (true) {
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException heldInThisProcess) {
                // another backend of this process on the same root; it lets go as soon as its rename is done
            }
            pause(deadline);
        }
    }

    private void pause(long deadline) throws IOException {
        if (ChunkedIo.expired(deadline)) {
            throw new IOException("the lock " + file + " was not free before the deadline");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Closes while holding the lock, because closing drops every lock of this process on the file, those of other backends
     * included.
     */
    @Override
    public void close() throws IOException {
        long deadline = System.nanoTime() + CLOSE_NANOS;
        acquireThreads(deadline);
        try (FileChannel closing = channel) {
            if (closing != null && closing.isOpen()) {
                acquire(deadline);
            }
        } finally {
            threads.unlock();
        }
    }
}
