package io.nixlkv.plugin.support.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A real server as a child process on 127.0.0.1. It ends with {@link #close}, and with this JVM however that ends: a shell between
 * the two waits on a pipe that breaks then.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MEMORY_BYTES = 4L << 30;
    private static final int LOWEST_PORT = 10_000;
    private static final int FIRST_EPHEMERAL_PORT = 32_768;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String GUARD = "\"$@\" </dev/null & child=$!; read gone; kill $child; wait $child";

    private final Process guard;
    private final Path log;

    private ServerProcess(Process guard, Path log) {
        this.guard = guard;
        this.log = log;
    }

    /** Starts {@code command} and waits until it answers a request on {@code port}. */
    public static ServerProcess start(Path directory, int port, Map<String, String> environment, List<String> command) {
        List<String> guarded = new ArrayList<>(List.of("sh", "-c", GUARD, "guard"));
        guarded.addAll(command);
        Path log = directory.resolve("server.log");
        ProcessBuilder builder = new ProcessBuilder(guarded)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            ServerProcess server = new ServerProcess(builder.start(), log);
            server.awaitPort(port);
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void awaitPort(int port) throws IOException {
        long end = System.nanoTime() + START_NANOS;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                socket.setSoTimeout(5000);
                socket.getOutputStream().write(REQUEST);
                // a server that only begins to listen takes a connection and resets it
                if (socket.getInputStream().read() >= 0) {
                    return;
                }
                throw new EOFException("no answer");
            } catch (IOException notYet) {
                if (!guard.isAlive() || System.nanoTime() > end) {
                    close();
                    throw new IOException("the server does not listen on port " + port + ":\n" + Files.readString(log));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(20, TimeUnit.SECONDS)) {
                guard.descendants().forEach(ProcessHandle::destroyForcibly);
                guard.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            guard.destroyForcibly();
        } catch (InterruptedException interrupted) {
            guard.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the server when this JVM exits in order, and removes {@code folder}. */
    void untilExit(Path folder) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            close();
                            delete(folder);
                        },
                        "stop-server"));
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException stillInUse) {
            System.err.println("left behind: " + folder);
        }
    }

    /** A new folder for the data of a server that syncs all the time: in memory where there is enough of it. */
    static Path quickFolder(String name) {
        try {
            return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > MEMORY_BYTES
                    ? Files.createTempDirectory(MEMORY, "nixlkv-" + name)
                    : folder(name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A new folder for a server's data. */
    static Path folder(String name) {
        try {
            return Files.createTempDirectory("nixlkv-" + name);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Writes a server's settings. */
    static Path write(Path file, List<String> lines) {
        try {
            return Files.write(file, lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A port that nobody listens on at the moment, below those that connections of other processes are given. */
    public static int freePort() {
        for (int attempt = 0; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, FIRST_EPHEMERAL_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                if (attempt == 100) {
                    throw new UncheckedIOException(taken);
                }
            }
        }
    }

    /**
     * Finds a program: the variable, then the places below the folder of installed peers, then {@code PATH}.
     *
     * @param variable environment variable with its path
     * @param places relative to {@code PEERS_HOME}, by default {@code ~/.cache/nixlkv-peers}
     */
    public static Optional<Path> find(String variable, String name, String... places) {
        String given = System.getenv().getOrDefault(variable, "");
        if (!given.isEmpty()) {
            return Optional.of(Path.of(given)).filter(Files::isExecutable);
        }
        Path peers = peersHome();
        Stream<Path> installed = Stream.of(places).map(peers::resolve);
        Stream<Path> path =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":")).map(folder -> Path.of(folder, name));
        return Stream.concat(installed, path).filter(Files::isExecutable).findFirst();
    }

    /** The folder of installed peers. */
    public static Path peersHome() {
        String home = System.getenv().getOrDefault("PEERS_HOME", "");
        return home.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "nixlkv-peers") : Path.of(home);
    }
}
