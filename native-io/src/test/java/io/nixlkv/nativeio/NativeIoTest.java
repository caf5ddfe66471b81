package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeIoTest {
    @TempDir
    Path folder;

    @Test
    void isAvailableOrSaysWhyNot() {
        boolean built = NativeIo.class.getResource("linux-x86_64/libjniNixlkv.so") != null;
        assertEquals(
                built,
                NativeIo.isAvailable(),
                () -> NativeIo.unavailableReason().orElse(""));
        if (!built) {
            assertTrue(NativeIo.unavailableReason().orElseThrow().contains("g++"));
            assertThrows(IllegalStateException.class, NativeIo::packedAbi);
        }
    }

    @Test
    void isSwitchedOffByVariableOrProperty() throws Exception {
        String off = "native code is switched off by NIXLKV_NATIVE or -Dnixlkv.native";
        assertEquals(off, child(Map.of("NIXLKV_NATIVE", "off"), List.of()));
        assertEquals(off, child(Map.of(), List.of("-Dnixlkv.native=off")));
    }

    @Test
    void leavesNothingBehindAndNeedsNoHome() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        String expected = NativeIo.unavailableReason().orElse("available");
        List<String> options = List.of("-Duser.home=" + home, "-Djava.io.tmpdir=" + temporary);
        assertEquals(expected, child(Map.of("HOME", home.toString()), options));
        assertEquals(
                0,
                home.toFile().list().length,
                () -> List.of(home.toFile().list()).toString());
        assertEquals(
                0,
                temporary.toFile().list().length,
                () -> List.of(temporary.toFile().list()).toString());
    }

    @Test
    void anUnwritableTemporaryDirectoryIsNamed() throws Exception {
        if (NativeIo.isAvailable()) {
            String answer = child(Map.of(), List.of("-Djava.io.tmpdir=" + folder.resolve("absent")));
            assertTrue(answer.contains("java.io.tmpdir") && answer.contains("absent"), answer);
        }
    }

    @Test
    void heapBuffersHaveNoAddress() {
        if (NativeIo.isAvailable()) {
            assertThrows(IllegalArgumentException.class, () -> NativeIo.address(ByteBuffer.allocate(8)));
            assertEquals("No space left on device", NativeIo.errorText(28));
        }
    }

    /** Says in another JVM whether the library is there. */
    public static final class Child {
        private Child() {}

        /** Prints the reason, or {@code available}. */
        public static void main(String[] arguments) {
            System.out.println(NativeIo.unavailableReason().orElse("available"));
        }
    }

    private String child(Map<String, String> environment, List<String> options)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(Child.class.getName());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the other JVM still runs after a minute");
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output).strip();
    }
}
