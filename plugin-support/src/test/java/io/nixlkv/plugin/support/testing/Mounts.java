package io.nixlkv.plugin.support.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The mounted file systems of a test; it is skipped where mounting is not allowed. */
public final class Mounts {
    private final Deque<Path> mounted = new ArrayDeque<>();

    /** Mounts at {@code at} with these arguments of {@code mount}. */
    public void mount(Path at, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(arguments));
        command.add(at.toString());
        assumeTrue(succeeds(command), () -> "needs root and the right to mount: " + command);
        if (!command.toString().contains("remount")) {
            mounted.push(at);
        }
    }

    /** Whether {@code command} ends well within half a minute. */
    public static boolean succeeds(List<String> command) {
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

    public void unmountAll() {
        while (!mounted.isEmpty()) {
            Path at = mounted.pop();
            assertTrue(succeeds(List.of("umount", at.toString())), () -> at + " is still busy");
        }
    }
}
