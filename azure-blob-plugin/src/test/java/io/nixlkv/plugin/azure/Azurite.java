package io.nixlkv.plugin.azure;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import io.nixlkv.plugin.support.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Azurite, Microsoft's emulator, that tests share. It lives as long as the JVM.
 *
 * @param port on 127.0.0.1
 */
record Azurite(int port) {
    static final String ACCOUNT = "nixlkvtest";
    static final String KEY =
            Base64.getEncoder().encodeToString("a key of this test, not a secret".getBytes(StandardCharsets.US_ASCII));

    /** Started at the first use. */
    private static final class Shared {
        private static final Optional<Azurite> SERVER = ServerProcess.find(
                        "NIXLKV_AZURITE", "azurite-blob", "azurite/node_modules/.bin/azurite-blob")
                .map(Azurite::start);
    }

    static Azurite server() {
        Assumptions.assumeTrue(
                Shared.SERVER.isPresent(), "no Azurite: put azurite-blob on PATH or name it in NIXLKV_AZURITE");
        return Shared.SERVER.get();
    }

    String connection() {
        return connection("127.0.0.1", port);
    }

    static String connection(String host, int port) {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";BlobEndpoint=http://"
                + host + ":" + port + "/" + ACCOUNT;
    }

    Map<String, String> config(String container) {
        return Map.of("connection_string", connection(), "container_name", container);
    }

    /** A client of the SDK beside ours, to prepare and to look behind the plugin's back. */
    BlobContainerClient client(String container) {
        return new BlobContainerClientBuilder()
                .httpClient(new BlobHttp(4, Optional.empty()))
                .connectionString(connection())
                .containerName(container)
                .buildClient();
    }

    private static Azurite start(Path binary) {
        try {
            Path folder = Files.createTempDirectory("nixlkv-azurite");
            int port = ServerProcess.freePort();
            ServerProcess server = ServerProcess.start(
                    folder,
                    port,
                    Map.of("AZURITE_ACCOUNTS", ACCOUNT + ":" + KEY),
                    List.of(
                            binary.toString(),
                            "--silent",
                            "--disableTelemetry",
                            "--skipApiVersionCheck",
                            "--location",
                            folder.toString(),
                            "--blobHost",
                            "127.0.0.1",
                            "--blobPort",
                            Integer.toString(port)));
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                server.close();
                                delete(folder);
                            },
                            "stop-azurite"));
            System.out.println("Azure store of these tests: Azurite at 127.0.0.1:" + port);
            return new Azurite(port);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException stillInUse) {
            System.err.println("left behind: " + folder);
        }
    }
}
