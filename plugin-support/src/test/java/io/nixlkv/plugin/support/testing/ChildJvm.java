package io.nixlkv.plugin.support.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with this one's class path, which says lines and ends when its input does. Used by one thread. */
public final class ChildJvm implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;

    private final Process process;
    private final BufferedReader output;

    /** Starts {@code main} with {@code arguments}. */
    public ChildJvm(Class<?> main, String... arguments) throws IOException {
        this(List.of(), main, arguments);
    }

    /** @param wrapper a command that runs the one that follows it, such as {@code strace}; may be empty */
    public ChildJvm(List<String> wrapper, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The next line that it says; {@code null} when it has said all. */
    public String line() throws IOException {
        return output.readLine();
    }

    public long pid() {
        return process.pid();
    }

    /** Ends it at once. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
