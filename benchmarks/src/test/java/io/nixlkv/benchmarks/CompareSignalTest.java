package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real program, which is told to end. */
class CompareSignalTest {
    private static final int SIGTERM_STATUS = 128 + 15;

    @TempDir
    Path directory;

    private Process start(Path stored, Path json) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Compare.class.getName(),
                        "--dir=" + stored,
                        "--subject=nixlkv:nio",
                        "--against=nixlkv:nio",
                        "--objects=4x4KiB,4x8KiB,4x16KiB,4x32KiB",
                        "--pairs=150",
                        "--json=" + json)
                .redirectOutput(directory.resolve("printed").toFile())
                .start();
    }

    @Test
    @Timeout(120)
    void aSignalEndsTheRunWithTheFiguresThatItHas() throws Exception {
        Path stored = Files.createDirectory(directory.resolve("stored"));
        Path json = directory.resolve("out.json");
        Process run = start(stored, json);
        List<String> said = new ArrayList<>();
        try (BufferedReader progress = run.errorReader()) {
            for (String line = progress.readLine(); line != null; line = progress.readLine()) {
                said.add(line);
                if (line.startsWith("[4 of 8")) {
                    run.toHandle().destroy(); // leaves the streams open
                }
            }
        } finally {
            assertTrue(run.waitFor(60, TimeUnit.SECONDS), "it does not end");
        }
        assertEquals(SIGTERM_STATUS, run.exitValue(), said.toString());
        String printed = Files.readString(directory.resolve("printed"));
        assertTrue(printed.contains("4x4KiB"), printed);
        assertTrue(printed.contains("stopped before everything was measured"), printed);
        JsonNode document = new JsonMapper().readTree(json.toFile());
        assertFalse(document.get("complete").asBoolean(true));
        assertEquals(2, document.get("results").size());
        try (Stream<Path> left = Files.list(stored)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
