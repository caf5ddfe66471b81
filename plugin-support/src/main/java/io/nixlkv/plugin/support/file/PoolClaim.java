package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a process from opening a pool's lock file twice: closing the second descriptor would silently drop the lock of the
 * first. A small file {@code <pool>.<process>.claim}, made before the lock file is opened.
 */
final class PoolClaim implements AutoCloseable {
    static final String FOLDER = "pools";
    static final String SUFFIX = ".claim";

    private final Path file;

    private PoolClaim(Path file) {
        this.file = file;
    }

    /** @throws FileAlreadyExistsException if this process has the pool open */
    static PoolClaim take(Path pools, String pool, FileModes modes) throws IOException {
        Path file = pools.resolve(pool + "." + Long.toHexString(LiveInstance.process()) + SUFFIX);
        Files.createFile(file, modes.ofFiles());
        return new PoolClaim(file);
    }

    /** The process in a claim's file name; 0 if it is none. */
    static long processOf(Path claim) {
        String[] parts = claim.getFileName().toString().split("\\.");
        try {
            return parts.length == 3 ? Long.parseUnsignedLong(parts[1], 16) : 0;
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
