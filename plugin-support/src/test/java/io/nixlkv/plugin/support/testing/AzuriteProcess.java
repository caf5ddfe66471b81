package io.nixlkv.plugin.support.testing;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Azurite, Microsoft's emulator of Azure Storage, as a child process that lives as long as the JVM.
 *
 * @param port on 127.0.0.1
 */
public record AzuriteProcess(int port) {
    /** The only account. */
    public static final String ACCOUNT = "nixlkvtest";

    /** Its key. */
    public static final String KEY =
            Base64.getEncoder().encodeToString("a key of this test, not a secret".getBytes(StandardCharsets.US_ASCII));

    /** Started now; empty where {@code NIXLKV_AZURITE}, the installed peers and {@code PATH} have none. */
    public static Optional<AzuriteProcess> start() {
        return ServerProcess.find("NIXLKV_AZURITE", "azurite-blob", "azurite/node_modules/.bin/azurite-blob")
                .map(AzuriteProcess::start);
    }

    private static AzuriteProcess start(Path binary) {
        Path folder = ServerProcess.quickFolder("azurite");
        int port = ServerProcess.freePort();
        ServerProcess.start(
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
                                Integer.toString(port)))
                .untilExit(folder);
        return new AzuriteProcess(port);
    }

    /** The address of the account. */
    public String address() {
        return "http://127.0.0.1:" + port + "/" + ACCOUNT;
    }

    /** A connection string for this account behind another host or port, such as that of a proxy. */
    public static String connection(String host, int port) {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";BlobEndpoint=http://"
                + host + ":" + port + "/" + ACCOUNT;
    }
}
