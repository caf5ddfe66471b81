package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system in memory, for one test. Needs root. */
final class TmpFs implements AutoCloseable {
    private final Path at;

    /** @param size such as {@code 8m} */
    TmpFs(Path at, String size) throws IOException {
        this.at = Files.createDirectories(at);
        assumeTrue(
                Mounts.succeeds(List.of("mount", "-t", "tmpfs", "-o", "size=" + size, "none", at.toString())),
                "mounting needs root");
    }

    Path path() {
        return at;
    }

    @Override
    public void close() {
        if (!Mounts.succeeds(List.of("umount", "-l", at.toString()))) {
            throw new AssertionError(at + " could not be unmounted");
        }
    }
}
