package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlLibrary;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.spi.Status;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.Loader;
import org.slf4j.Logger;

/** A JVM that runs {@link NixlChild} and is killed when it does not answer. One thread. */
final class NixlChildProcess implements AutoCloseable {
    /** The child ended without {@code end}. */
    static final String DIED = "died";

    private static final long KILL_SECONDS = 2;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** @param input what it reads on stdin */
    NixlChildProcess(List<String> arguments, byte[] input) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                classPath()));
        String home = System.getProperty(NixlSearch.PROPERTY, "");
        if (!home.isBlank()) {
            command.add(command.size() - 2, "-D" + NixlSearch.PROPERTY + "=" + home);
        }
        command.add(NixlChild.class.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        // variables that were handed to a NIXL in this process are not the child's
        builder.environment().putAll(System.getenv());
        // its directory must not become the place of a driver's log
        builder.directory(new File(System.getProperty("java.io.tmpdir")));
        process = builder.start();
        Thread reader = new Thread(this::read, "nixlkv-nixl-child");
        reader.setDaemon(true);
        reader.start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        } catch (IOException ended) {
            // it tells the rest by its death
            lines.add(DIED);
        }
    }

    /** The jars of the classes it needs, and no others. */
    private static String classPath() {
        List<String> places = new ArrayList<>();
        for (Class<?> needed : List.of(NixlChild.class, NixlLibrary.class, Status.class, Loader.class, Logger.class)) {
            try {
                places.add(Path.of(needed.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            } catch (URISyntaxException broken) {
                throw new IllegalStateException("no place for " + needed, broken);
            }
        }
        return String.join(File.pathSeparator, places);
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
            lines.add(DIED);
        } catch (IOException | UncheckedIOException killed) {
            lines.add(DIED);
        }
    }

    /** Its next line; {@code null} if none comes within the time. */
    String next(long nanos) {
        try {
            return lines.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** How it died, for people. */
    String death() {
        try {
            if (process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
                int code = process.exitValue();
                return code > 128
                        ? "it killed its process with signal " + (code - 128)
                        : "its process ended with " + code;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return "its process does not end";
    }

    /** Kills it. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
