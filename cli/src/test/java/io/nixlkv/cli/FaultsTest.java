package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {
    @TempDir
    Path directory;

    private static int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        return process.exitValue();
    }

    @Test
    void fullDiskIsAPartlyFailedBench() throws Exception {
        Path mount = Files.createDirectory(directory.resolve("small"));
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/bin/mount"))
                        && run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount.toString()) == 0,
                "needs root, to mount a small tmpfs");
        try {
            Path config = Cli.config(directory, mount);
            Cli.Ended ended = new Cli()
                    .run(
                            "bench",
                            "--json",
                            "--config",
                            config,
                            "--num-keys",
                            8,
                            "--in-flight",
                            1,
                            "--data-size-kb",
                            16,
                            "--rounds",
                            4,
                            "--warmup-rounds",
                            0);
            assertEquals(1, ended.code(), ended.out());
            JsonNode store = ended.json().get("metrics").get("op_0");
            int stored = store.get("total_success").asInt();
            assertTrue(stored > 0 && stored < 32, store.toString());
            assertEquals(stored * 16384L, store.get("completed_bytes").asLong(), "only completed objects count");
            assertEquals("failed", ended.json().get("verification").asText());
            assertTrue(ended.err().contains("bench failed"), ended.err());
            assertEquals(4, ended.errLines().size(), "not stored, not found, not loaded, and the end: " + ended.err());
            String more = " (and " + (31 - stored) + " more like it)";
            for (String line : ended.errLines().subList(0, 3)) {
                assertTrue(line.contains(" bench-model@") && line.endsWith(more), ended.err());
            }
            assertEquals("", new Cli().run("ls", "--config", config).out(), "what was written is removed");

            Files.write(mount.resolve("filler"), new byte[240 << 10]);
            Cli.Ended status = new Cli().run("status", "--config", config);
            assertEquals(1, status.code(), status.out());
            assertTrue(status.err().contains("probe: write"), status.err());
        } finally {
            assertEquals(0, run("umount", mount.toString()));
        }
    }

    @Test
    void signalEndsBenchWithAnEmptyDirectory() throws Exception {
        Process bench = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NixlkvMain.class.getName(),
                        "bench",
                        "-v",
                        "--data-size-kb",
                        "4",
                        "--rounds",
                        "100000")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader messages =
                new BufferedReader(new InputStreamReader(bench.getErrorStream(), StandardCharsets.UTF_8))) {
            String line = messages.readLine();
            while (line != null && !line.contains("Backend POSIX was instantiated")) {
                line = messages.readLine();
            }
            assertTrue(line != null, "bench ended before it began");
            bench.toHandle().destroy(); // unlike Process.destroy, this leaves the pipe open
            messages.transferTo(java.io.Writer.nullWriter());
            assertTrue(bench.waitFor(60, TimeUnit.SECONDS), "bench does not end");
        } finally {
            bench.destroyForcibly();
        }
        assertEquals(143, bench.exitValue());
        try (var left = Files.list(directory)) {
            assertFalse(left.findAny().isPresent(), "the temporary directory must be gone");
        }
    }
}
