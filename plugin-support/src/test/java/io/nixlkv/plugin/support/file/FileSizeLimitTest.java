package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.plugin.support.testing.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose files may have ten KiB: a direct transfer is cut short where the next one could not start. */
class FileSizeLimitTest {
    @Test
    void aFileThatGetsTooLargeIsAFailureWithItsReason(@TempDir Path root) throws IOException {
        assumeTrue(Mounts.succeeds(List.of("prlimit", "--fsize=10240", "true")), "prlimit is missing");
        try (ChildJvm child = ChildMain.start(List.of("prlimit", "--fsize=10240"), "direct-large", root)) {
            assertEquals(
                    "FAILED 27 cannot write \"k\" in " + root.toRealPath()
                            + ": File too large; raise the limit of a file's size (ulimit -f)",
                    child.line());
            assertEquals("[] DONE", child.line());
        }
    }
}
