package io.nixlkv.plugin.azure;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import io.nixlkv.plugin.support.testing.AzuriteProcess;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * Azurite, Microsoft's emulator, that tests share. It lives as long as the JVM.
 *
 * @param port on 127.0.0.1
 */
record Azurite(int port) {
    static final String ACCOUNT = AzuriteProcess.ACCOUNT;
    static final String KEY = AzuriteProcess.KEY;

    /** Started at the first use. */
    private static final class Shared {
        private static final Optional<Azurite> SERVER = AzuriteProcess.start().map(Azurite::announced);
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
        return AzuriteProcess.connection(host, port);
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

    private static Azurite announced(AzuriteProcess process) {
        System.out.println("Azure store of these tests: Azurite at 127.0.0.1:" + process.port());
        return new Azurite(process.port());
    }
}
