package io.nixlkv.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server on 127.0.0.1 that runs as a child process until this is closed. */
final class ServerProgram implements AutoCloseable {
    /** The first start may have to install it. */
    private static final long READY_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final long GOODBYE_SECONDS = 10;
    private static final int LOWEST_PORT = 10_000;
    private static final int FIRST_EPHEMERAL_PORT = 32_768;
    private static final int PORTS_TRIED = 100;

    private final String name;
    private final Process process;

    /**
     * Starts it and waits until it listens.
     *
     * @param port what it was told to listen on
     * @param log file for what it prints
     */
    ServerProgram(String name, List<String> command, Map<String, String> environment, int port, Path log) {
        this.name = name;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            process = builder.start();
            awaitPort(port, log);
        } catch (IOException e) {
            throw new ContenderException(name + " could not be started: " + e.getMessage(), e);
        }
    }

    private void awaitPort(int port, Path log) throws IOException {
        long end = System.nanoTime() + READY_NANOS;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                if (process.isAlive()) {
                    return;
                }
                throw new IOException("another program listens there");
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    close();
                    throw new IOException(
                            "it does not listen on port " + port + "; it said: " + Files.readString(log), notYet);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    /** A port that nobody listens on at the moment, below those that connections of other processes are given. */
    static int freePort() {
        for (int attempt = 0; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, FIRST_EPHEMERAL_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                if (attempt == PORTS_TRIED) {
                    throw new ContenderException("no port is free: " + taken.getMessage(), taken);
                }
            }
        }
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        children.forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                children.forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
