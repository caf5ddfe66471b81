package io.nixlkv.plugin.obj;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.tck.ContractSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** A bucket for each location. Where the server is stands in a file there, for the child processes of the kill test. */
abstract class S3Setup implements ContractSetup {
    private static final String FILE = "server";

    private final Supplier<S3Server> server;
    private final Map<String, String> more;

    S3Setup(Supplier<S3Server> server, Map<String, String> more) {
        this.server = server;
        this.more = more;
    }

    @Override
    public StorageStrategy strategy() {
        return new ObjStrategy();
    }

    @Override
    public String engine() {
        return ObjStrategy.SDK;
    }

    @Override
    public void prepare(Path location) throws IOException {
        S3Server running = server.get();
        running.createBucket(bucket(location));
        Files.write(
                location.resolve(FILE),
                List.of(running.endpoint().toString(), running.accessKey(), running.secretKey()));
    }

    @Override
    public void remove(Path location) {
        server.get().removeBucket(bucket(location));
    }

    @Override
    public Map<String, String> config(Path location) {
        try {
            List<String> lines = Files.readAllLines(location.resolve(FILE));
            Map<String, String> config = new HashMap<>(more);
            config.put("bucket", bucket(location));
            config.put("endpoint_override", lines.get(0));
            config.put("access_key", lines.get(1));
            config.put("secret_key", lines.get(2));
            return config;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public boolean putEmpty(Path location, String name) {
        server.get().put(bucket(location), more.getOrDefault("prefix", "") + name, new byte[0]);
        return true;
    }

    private static String bucket(Path location) {
        return location.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /** Fewer than for files: a round costs seconds of requests, and what is whole is the server's own doing. */
    @Override
    public int kills() {
        return 10;
    }
}
