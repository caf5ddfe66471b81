package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the shim with AddressSanitizer and UndefinedBehaviorSanitizer and runs the native tests. */
@Tag("variant")
class SanitizerTest {
    @TempDir
    Path folder;

    @Test
    void nativeTestsPassUnderTheSanitizers() throws IOException, InterruptedException {
        Assumptions.assumeTrue(onPath("g++"), "g++ is not on the PATH");
        Path empty = Files.writeString(folder.resolve("empty.cpp"), "int main() { return 0; }\n");
        Assumptions.assumeTrue(
                compile(empty, "empty").code() == 0, "this g++ has no sanitizers (libasan and libubsan are missing)");
        Ended built = compile(Path.of(System.getProperty("native.tests"), "driver.cpp"), "driver");
        assertEquals(0, built.code(), built.output());
        Path data = Files.createDirectory(folder.resolve("data"));
        Ended ran = run(List.of(folder.resolve("driver").toString(), data.toString()));
        assertEquals(0, ran.code(), ran.output());
    }

    private Ended compile(Path source, String name) throws IOException, InterruptedException {
        return run(List.of(
                "g++",
                "-std=c++17",
                "-g",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pthread",
                "-fno-strict-aliasing",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-I" + System.getProperty("native.sources"),
                source.toString(),
                "-o",
                folder.resolve(name).toString()));
    }

    private record Ended(int code, String output) {}

    private Ended run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> command + " still runs after five minutes");
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
