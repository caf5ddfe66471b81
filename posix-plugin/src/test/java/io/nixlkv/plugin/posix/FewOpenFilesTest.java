package io.nixlkv.plugin.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that may have 64 files open, its jars among them. */
class FewOpenFilesTest {
    private static final List<String> LIMITED = List.of("bash", "-c", "ulimit -n 64 && exec \"$0\" \"$@\"");

    /** In memory where it can be: thousands of small files. */
    static final class InMemory implements TempDirFactory {
        private static final Path MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "junit-")
                    : Files.createTempDirectory("junit-");
        }
    }

    @TempDir(factory = InMemory.class)
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio", "nixl"})
    void largeBatchesWorkAndWhatCannotBeOpenedIsExplained(String engine) throws IOException {
        NeedsNixl.Condition.useInstalled();
        Optional<String> problem = PosixEngines.problem(engine);
        assumeTrue(problem.isEmpty(), () -> problem.orElse(""));
        List<String> said = new ArrayList<>();
        try (ChildJvm child = new ChildJvm(LIMITED, FewOpenFilesChild.class, engine, directory.toString())) {
            for (String line = child.line(); line != null; line = child.line()) {
                said.add(line);
            }
        }
        String refused = "{UNAVAILABLE 24=64} cannot %s \"16/0\" in " + directory.toRealPath()
                + ": Too many open files; raise the limit with ulimit -n";
        assertEquals(
                List.of(
                        "limit 64",
                        "one lane WRITE {DONE 0=4097}",
                        "one lane READ {DONE 0=4097}",
                        "several lanes WRITE {DONE 0=4096}",
                        "several lanes READ {DONE 0=4096}",
                        "no file free and present {ALREADY_PRESENT 0=16}",
                        "no file free WRITE " + refused.formatted("write"),
                        "no file free READ " + refused.formatted("read"),
                        "free again WRITE {DONE 0=64}",
                        "free again READ {DONE 0=64}",
                        "every file is closed"),
                said);
    }
}
