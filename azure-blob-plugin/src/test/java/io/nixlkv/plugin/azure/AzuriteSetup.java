package io.nixlkv.plugin.azure;

import com.azure.core.util.BinaryData;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A container for each location. Where the server is stands in a file there, for the child processes of the kill test. */
abstract class AzuriteSetup implements ContractSetup {
    private static final String FILE = "server";

    private final Map<String, String> more;

    AzuriteSetup(Map<String, String> more) {
        this.more = more;
    }

    @Override
    public StorageStrategy strategy() {
        return new AzureBlobStrategy();
    }

    @Override
    public String engine() {
        return AzureBlobStrategy.SDK;
    }

    @Override
    public void prepare(Path location) throws IOException {
        Azurite running = Azurite.server();
        running.client(container(location)).create();
        Files.writeString(location.resolve(FILE), running.connection());
    }

    @Override
    public void remove(Path location) {
        Azurite.server().client(container(location)).delete();
    }

    @Override
    public Map<String, String> config(Path location) {
        try {
            Map<String, String> config = new HashMap<>(more);
            config.put("container_name", container(location));
            config.put("connection_string", Files.readString(location.resolve(FILE)));
            return config;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public boolean putEmpty(Path location, String name) {
        Azurite.server()
                .client(container(location))
                .getBlobClient(more.getOrDefault("prefix", "") + name)
                .upload(BinaryData.fromBytes(new byte[0]));
        return true;
    }

    private static String container(Path location) {
        return location.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /** Fewer than for files: a round costs seconds of requests, and what is whole is the server's own doing. */
    @Override
    public int kills() {
        return 10;
    }
}
