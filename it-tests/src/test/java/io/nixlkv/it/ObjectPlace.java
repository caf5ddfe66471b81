package io.nixlkv.it;

import io.nixlkv.plugin.support.testing.AzuriteProcess;
import io.nixlkv.plugin.support.testing.S3Process;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * A bucket or container of its own on a real server. The servers are shared by all tests and live as long as the JVM.
 *
 * @param plugin its table in a configuration
 * @param settings the smallest ones that work, without {@code active}
 * @param secret what must never be shown
 * @param requests the way behind the product's back
 */
record ObjectPlace(String server, String plugin, Map<String, String> settings, String secret, ObjectRequests requests) {
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Started at the first use. */
    private static final class Minio {
        private static final Optional<S3Process> SERVER = given().or(S3Process::minio);
    }

    /** Started at the first use. */
    private static final class Seaweed {
        private static final Optional<S3Process> SERVER = S3Process.seaweed();
    }

    /** Started at the first use. */
    private static final class Azurite {
        private static final Optional<AzuriteProcess> SERVER = AzuriteProcess.start();
    }

    /** Every server there is a test for, each by name. */
    enum Server {
        MINIO(ObjectPlace::minio),
        SEAWEEDFS(ObjectPlace::seaweed),
        AZURITE(ObjectPlace::azurite);

        private final Supplier<ObjectPlace> place;

        Server(Supplier<ObjectPlace> place) {
            this.place = place;
        }

        /** A new bucket or container; the test is skipped where the server is not installed. */
        ObjectPlace place() {
            return place.get();
        }
    }

    /** A new bucket on MinIO. */
    static ObjectPlace minio() {
        Assumptions.assumeTrue(
                Minio.SERVER.isPresent(),
                "no S3 server: set NIXLKV_TEST_S3_ENDPOINT, put minio on PATH, or name it in NIXLKV_MINIO");
        return bucket(Minio.SERVER.get());
    }

    /** A new bucket on SeaweedFS. */
    static ObjectPlace seaweed() {
        Assumptions.assumeTrue(Seaweed.SERVER.isPresent(), "no SeaweedFS: put weed on PATH or name it in NIXLKV_WEED");
        return bucket(Seaweed.SERVER.get());
    }

    /** A new container on Azurite. */
    static ObjectPlace azurite() {
        Assumptions.assumeTrue(
                Azurite.SERVER.isPresent(), "no Azurite: put azurite-blob on PATH or name it in NIXLKV_AZURITE");
        AzuriteProcess server = Azurite.SERVER.get();
        String container = "it-" + UUID.randomUUID();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("container_name", container);
        settings.put("connection_string", AzuriteProcess.connection("127.0.0.1", server.port()));
        return new ObjectPlace(
                        "Azurite", "azure_blob", settings, AzuriteProcess.KEY, new BlobRequests(server, container))
                .made();
    }

    private static Optional<S3Process> given() {
        return Optional.of(System.getenv().getOrDefault("NIXLKV_TEST_S3_ENDPOINT", ""))
                .filter(text -> !text.isEmpty())
                .map(text -> new S3Process(
                        "NIXLKV_TEST_S3_ENDPOINT",
                        URI.create(text),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_ACCESS_KEY", "minioadmin"),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_SECRET_KEY", "minioadmin")));
    }

    private static ObjectPlace bucket(S3Process server) {
        String bucket = "it-" + UUID.randomUUID();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("bucket", bucket);
        settings.put("endpoint_override", server.endpoint().toString().replaceFirst("^http://", ""));
        settings.put("access_key", server.accessKey());
        settings.put("secret_key", server.secretKey());
        return new ObjectPlace(
                        server.name(),
                        "obj",
                        settings,
                        server.secretKey(),
                        new S3Requests(server.endpoint(), server.accessKey(), server.secretKey(), bucket))
                .made();
    }

    /** A port that listens is not yet a store that answers. */
    private ObjectPlace made() {
        long end = System.nanoTime() + READY_NANOS;
        int answered = requests.createPlace();
        while (answered / 100 != 2 && answered != 409) {
            if (System.nanoTime() > end) {
                throw new AssertionError(server + " does not make a bucket: " + answered);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            answered = requests.createPlace();
        }
        return this;
    }

    /** The plugin's table, with {@code changes} over the settings. */
    String toml(Map<String, String> changes) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(changes);
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + " = \"" + entry.getValue() + "\"\n")
                .collect(Collectors.joining("", "[plugin." + plugin + "]\nactive = true\n", ""));
    }

    /** Its host and port. */
    String address() {
        return plugin.equals("obj")
                ? settings.get("endpoint_override")
                : "127.0.0.1:" + Azurite.SERVER.orElseThrow().port();
    }

    /** The setting that says where the store is, with another scheme, host or port in it. */
    Map<String, String> movedTo(String scheme, String address) {
        String key = plugin.equals("obj") ? "endpoint_override" : "connection_string";
        String there = settings.get(key);
        return Map.of(
                key,
                plugin.equals("obj")
                        ? scheme + "://" + address
                        : there.replaceFirst("BlobEndpoint=http://[^/]*", "BlobEndpoint=" + scheme + "://" + address));
    }

    /** The setting that names the bucket or container. */
    Map<String, String> elsewhere() {
        return Map.of(plugin.equals("obj") ? "bucket" : "container_name", "not-here-at-all");
    }

    /** The same identity with another secret. */
    Map<String, String> withSecret(String other) {
        return plugin.equals("obj")
                ? Map.of("secret_key", other)
                : Map.of("connection_string", settings.get("connection_string").replace(secret, other));
    }

    /** What every sentence about the place names. */
    List<String> names() {
        return List.of(settings.get(plugin.equals("obj") ? "bucket" : "container_name"), address());
    }
}
