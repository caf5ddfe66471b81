package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.plugin.support.testing.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engine {@code uring} where the process may lock less memory than the arena has. */
class LockedMemoryTest {
    @Test
    void uringWorksUnregisteredAndSaysSo(@TempDir Path root) throws IOException {
        Optional<String> problem = NativeEngines.problem(Kind.URING);
        assumeTrue(problem.isEmpty(), () -> problem.orElse(""));
        // the limit does not bind a process with CAP_IPC_LOCK, which root has
        List<String> wrapper = System.getProperty("user.name").equals("root")
                ? List.of("setpriv", "--bounding-set", "-ipc_lock", "prlimit", "--memlock=65536:65536")
                : List.of("prlimit", "--memlock=65536:65536");
        List<String> tried = new ArrayList<>(wrapper);
        tried.add("true");
        assumeTrue(Mounts.succeeds(tried), () -> "setpriv or prlimit is missing or not permitted: " + wrapper);
        try (ChildJvm child = ChildMain.start(wrapper, "direct", root, "uring")) {
            assertEquals("DONE DONE", child.line());
            String registered = child.line();
            if (!registered.equals("null")) {
                // a file system without direct I/O needs no registration
                assertTrue(
                        registered.startsWith("no: Cannot allocate memory: the limit of locked memory is 65536 bytes"),
                        registered);
                assertTrue(registered.contains("ulimit -l"), registered);
            }
        }
    }

    @Test
    void withoutALimitTheArenaIsRegistered(@TempDir Path root) {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root has no limit of locked memory");
        try (Opened store = new Opened("uring", true, root)) {
            assumeTrue(
                    store.backend.report().facts().toString().contains("on, blocks"),
                    "the file system has no direct I/O");
            assertEquals("yes", store.backend.report().facts().get("arena_registered"));
        }
    }
}
