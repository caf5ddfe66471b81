package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link EmbeddingExample} in a process with the class path of an application that depends on {@code nixlkv-host} alone. */
class EmbeddingExampleIT {
    private static final Path SOURCE = Path.of("src/test/java/io/nixlkv/it/EmbeddingExample.java");
    private static final Path HOST = Path.of("../host/target");

    @TempDir
    Path directory;

    @Test
    void theExampleOfTheReadmeRunsWithItsDependencyOnly() throws IOException {
        Distribution.Run run = run(classPath());
        assertEquals("2 stored, 2 loaded, healthy: true\n", run.out(), run.toString());
        assertEquals(0, run.exit(), run.toString());
    }

    @Test
    void withoutPluginSupportTheComplaintNamesIt() throws IOException {
        String classPath = Arrays.stream(classPath().split(File.pathSeparator))
                .filter(entry -> !entry.contains("plugin-support"))
                .collect(Collectors.joining(File.pathSeparator));
        Distribution.Run run = run(classPath);
        assertFalse(run.exit() == 0, run.toString());
        assertTrue(run.err().contains("no plugin was found at all"), run.toString());
        assertTrue(run.err().contains("rejected are: nixlkv-azure-blob-plugin-"), run.toString());
        assertTrue(run.err().contains("nixlkv-plugin-support is not on the class path"), run.toString());
    }

    @Test
    void theReadmeShowsThisCode() throws IOException {
        String code = section(Files.readString(SOURCE), "// example\n", "        // end\n");
        String shown = section(Files.readString(Path.of("../README.md")), "```java\n", "```");
        assertEquals(code.stripTrailing().stripIndent(), shown.strip());
    }

    /** Compiled from its source in that process: the class path of the tests has no part in it. */
    private Distribution.Run run(String classPath) throws IOException {
        Path config = Files.writeString(
                directory.resolve("nixlkv.toml"),
                "[store]\nlayout = \"lmcache\"\n[plugin.posix]\nactive = true\nfile_path = \"" + directory.resolve("kv")
                        + "\"\n");
        return Distribution.run(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                SOURCE.toString(),
                Distribution.PLUGINS.toString(),
                config.toString()));
    }

    private static String classPath() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(HOST, "nixlkv-host-*.jar")) {
            List<Path> host = new ArrayList<>();
            jars.forEach(host::add);
            assertEquals(1, host.size(), host.toString());
            return host.get(0)
                    + File.pathSeparator
                    + Files.readString(HOST.resolve("runtime-class-path.txt")).strip();
        }
    }

    private static String section(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}
