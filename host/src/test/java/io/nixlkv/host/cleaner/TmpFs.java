package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A small file system in memory, for one test. Needs root. */
final class TmpFs implements AutoCloseable {
    private final Path at;

    /** @param size such as {@code 8m} */
    TmpFs(Path at, String size) throws IOException {
        this.at = Files.createDirectories(at);
        assumeTrue(
                succeeds(List.of("mount", "-t", "tmpfs", "-o", "size=" + size, "none", at.toString())),
                "mounting needs root");
    }

    Path path() {
        return at;
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!succeeds(List.of("umount", "-l", at.toString()))) {
            throw new AssertionError(at + " could not be unmounted");
        }
    }
}
