package io.nixlkv.host.pool;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * Makes one process, and one store in it, the owner of a state directory. The system's lock keeps other processes out and ends with
 * the process; a claim file named by the process keeps the same process from opening the lock file twice, since closing the second
 * descriptor would silently drop the lock of the first.
 */
final class StateLock implements AutoCloseable {
    private static final String LOCK = "pool.lock";
    private static final String CLAIM = ".claim";

    private final Path claim;
    private final FileChannel lock;

    private StateLock(Path claim, FileChannel lock) {
        this.claim = claim;
        this.lock = lock;
    }

    /** @throws StorageException UNAVAILABLE if it has an owner */
    static StateLock take(Path directory) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        long started = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        Path claim = directory.resolve(self.pid() + "-" + started + CLAIM);
        try {
            Files.createFile(claim);
        } catch (FileAlreadyExistsException ours) {
            throw inUse(directory, "this process");
        }
        FileChannel lock = null;
        try {
            lock = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw inUse(directory, "another process");
            }
            sweep(directory, claim);
            return new StateLock(claim, lock);
        } catch (IOException | RuntimeException refused) {
            if (lock != null) {
                lock.close();
            }
            Files.deleteIfExists(claim);
            throw refused;
        }
    }

    private static StorageException inUse(Path directory, String who) {
        return new StorageException(
                Status.UNAVAILABLE,
                "the state directory " + directory + " of a static pool is in use by " + who
                        + "; a static pool has one owner: close the other store or give this one another state_dir");
    }

    /** Who holds the lock is the only owner: every other claim is of an ended process. */
    private static void sweep(Path directory, Path own) throws IOException {
        try (DirectoryStream<Path> claims = Files.newDirectoryStream(directory, "*" + CLAIM)) {
            for (Path claim : claims) {
                if (!claim.equals(own)) {
                    Files.deleteIfExists(claim);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            Files.deleteIfExists(claim);
        }
    }
}
