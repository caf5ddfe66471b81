package io.nixlkv.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** MinIO and Azurite, installed and started by {@code benchmarks/peers} on a CPU of their own, until this is closed. */
final class LocalServers implements AutoCloseable {
    private static final String BUCKET = "nixlkv-compare";
    private static final String ACCOUNT = "nixlkvcompare";

    private final Path peers;
    private final CpuSplit cpus;
    private final WorkFolder folder;
    private final List<ServerProgram> running = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();

    /** @param directory where a folder for their data is made */
    LocalServers(Path peers, CpuSplit cpus, Path directory) {
        this.peers = peers;
        this.cpus = cpus;
        folder = WorkFolder.in(directory);
    }

    /** Starts MinIO with an empty bucket. @throws ContenderException if it does not start */
    ObjectService minio() {
        // a bucket of MinIO is a directory
        Path data = directory("minio/" + BUCKET).getParent();
        String user = secret(8);
        String password = secret(16);
        int port = start("minio", data, Map.of("MINIO_ROOT_USER", user, "MINIO_ROOT_PASSWORD", password));
        return ObjectService.s3("MinIO " + version("minio"), "http://127.0.0.1:" + port, BUCKET, user, password);
    }

    /** Starts Azurite with an empty container. @throws ContenderException if it does not start */
    ObjectService azurite() {
        String key = Base64.getEncoder().encodeToString(secret(16).getBytes(StandardCharsets.US_ASCII));
        int port = start("azurite", directory("azurite"), Map.of("AZURITE_ACCOUNTS", ACCOUNT + ":" + key));
        AzureConnection connection = AzureConnection.local(port, ACCOUNT, key);
        connection.createContainer(BUCKET);
        return ObjectService.azure("Azurite " + version("azurite"), connection, BUCKET);
    }

    private int start(String name, Path data, Map<String, String> environment) {
        int port = ServerProgram.freePort();
        List<String> command = cpus.onServer(List.of(peers.toString(), name, data.toString(), Integer.toString(port)));
        running.add(new ServerProgram(
                name, command, environment, port, folder.path().resolve(name + ".log")));
        return port;
    }

    private String version(String name) {
        try {
            Process process = new ProcessBuilder(peers.toString(), "version", name).start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            process.waitFor(10, TimeUnit.SECONDS);
            return version;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContenderException("interrupted", e);
        }
    }

    private Path directory(String name) {
        try {
            return Files.createDirectories(folder.path().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for a server in " + folder.path(), e);
        }
    }

    private String secret(int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    @Override
    public void close() {
        try (folder) {
            running.forEach(ServerProgram::close);
        }
    }
}
