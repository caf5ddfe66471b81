package io.nixlkv.plugin.support.file;

import com.sun.management.UnixOperatingSystemMXBean;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.lang.management.ManagementFactory;

/** The process's limit of open files. */
final class OpenFiles {
    /** What the rest of the process may open later. */
    private static final int SPARE = 64;

    private OpenFiles() {}

    /** @throws StorageException UNAVAILABLE if a pool that keeps {@code files} open would not leave enough for others */
    static void require(long files, PoolForm form) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system)) {
            return;
        }
        long limit = system.getMaxFileDescriptorCount();
        long open = system.getOpenFileDescriptorCount();
        if (limit < 0 || files <= limit - open - SPARE) {
            return;
        }
        throw new StorageException(
                Status.UNAVAILABLE,
                "pool " + form.name() + " with a file for each slot needs " + files + " open files (" + form.count()
                        + " slots under each directory, twice with direct I/O), but the limit is " + limit + " and "
                        + open
                        + " are open; raise it (ulimit -n, LimitNOFILE) to " + (files + open + SPARE)
                        + " or more, or use pool_layout = \"slab\"");
    }
}
