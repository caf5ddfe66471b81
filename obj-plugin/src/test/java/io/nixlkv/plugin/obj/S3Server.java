package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.MinIOContainer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A real S3 server that tests share. It lives as long as the JVM.
 *
 * @param name what it is, for reports
 */
record S3Server(String name, URI endpoint, String accessKey, String secretKey) {
    private static final String MINIO_IMAGE = "minio/minio:RELEASE.2025-09-07T16-13-09Z";
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Started at the first use. */
    private static final class Minio {
        private static final Optional<S3Server> SERVER = start();

        private static Optional<S3Server> start() {
            String given = System.getenv().getOrDefault("NIXLKV_TEST_S3_ENDPOINT", "");
            if (!given.isEmpty()) {
                return Optional.of(announced(new S3Server(
                        "NIXLKV_TEST_S3_ENDPOINT",
                        URI.create(given),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_ACCESS_KEY", "minioadmin"),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_SECRET_KEY", "minioadmin"))));
            }
            if (DockerClientFactory.instance().isDockerAvailable()) {
                MinIOContainer container = new MinIOContainer(MINIO_IMAGE);
                container.start();
                return Optional.of(announced(new S3Server(
                        "MinIO (container)",
                        URI.create(container.getS3URL()),
                        container.getUserName(),
                        container.getPassword())));
            }
            return ServerProcess.find("NIXLKV_MINIO", "minio", "bin/minio")
                    .map(S3Server::minioProcess)
                    .or(S3Server::s3Proxy)
                    .map(S3Server::announced);
        }
    }

    /** Started at the first use. */
    private static final class Seaweed {
        private static final Optional<S3Server> SERVER = ServerProcess.find(
                        "NIXLKV_WEED", "weed", "bin/weed", "seaweedfs/bin/weed")
                .map(S3Server::weedProcess)
                .map(S3Server::announced);
    }

    /** MinIO, or what stands in for it where it is not installed. */
    static S3Server minio() {
        Assumptions.assumeTrue(
                Minio.SERVER.isPresent(),
                "no S3 server: set NIXLKV_TEST_S3_ENDPOINT, start Docker, put minio on PATH, or name it in"
                        + " NIXLKV_MINIO");
        return Minio.SERVER.get();
    }

    /** SeaweedFS. */
    static S3Server seaweed() {
        Assumptions.assumeTrue(Seaweed.SERVER.isPresent(), "no SeaweedFS: put weed on PATH or name it in NIXLKV_WEED");
        return Seaweed.SERVER.get();
    }

    /** Parameters of a store in {@code bucket}. */
    Map<String, String> config(String bucket) {
        return Map.of(
                "bucket",
                bucket,
                "endpoint_override",
                endpoint.toString(),
                "access_key",
                accessKey,
                "secret_key",
                secretKey);
    }

    /** A client of the SDK beside ours, to prepare and to look behind the plugin's back. The caller closes it. */
    S3Client client() {
        return S3Client.builder()
                .httpClientBuilder(Apache5HttpClient.builder())
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
                .build();
    }

    void createBucket(String bucket) {
        try (S3Client client = client()) {
            client.createBucket(b -> b.bucket(bucket));
        }
    }

    /** Removes a bucket with all that is in it. */
    void removeBucket(String bucket) {
        try (S3Client client = client()) {
            client.listMultipartUploads(b -> b.bucket(bucket))
                    .uploads()
                    .forEach(upload -> client.abortMultipartUpload(
                            b -> b.bucket(bucket).key(upload.key()).uploadId(upload.uploadId())));
            // MinIO does not list what lies below another object's name, so it may take two rounds.
            for (List<String> keys = keys(client, bucket); !keys.isEmpty(); keys = keys(client, bucket)) {
                keys.forEach(key -> client.deleteObject(b -> b.bucket(bucket).key(key)));
            }
            client.deleteBucket(b -> b.bucket(bucket));
        }
    }

    private static List<String> keys(S3Client client, String bucket) {
        return client.listObjectsV2Paginator(b -> b.bucket(bucket)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    private static S3Server announced(S3Server server) {
        System.out.println("S3 server of these tests: " + server.name + " at " + server.endpoint);
        server.awaitReady();
        return server;
    }

    /** A port that listens is not yet a store that answers. */
    private void awaitReady() {
        long end = System.nanoTime() + READY_NANOS;
        try (S3Client client = client()) {
            while (true) {
                try {
                    client.createBucket(b -> b.bucket("is-it-ready"));
                    client.putObject(b -> b.bucket("is-it-ready").key("k"), RequestBody.fromString("x"));
                    client.deleteObject(b -> b.bucket("is-it-ready").key("k"));
                    client.deleteBucket(b -> b.bucket("is-it-ready"));
                    return;
                } catch (S3Exception notYet) {
                    if (System.nanoTime() > end) {
                        throw notYet;
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
        }
    }

    private static S3Server minioProcess(Path binary) {
        Path directory = folder("minio");
        int port = ServerProcess.freePort();
        closeAtExit(
                ServerProcess.start(
                        directory,
                        port,
                        Map.of("MINIO_ROOT_USER", "minio-test", "MINIO_ROOT_PASSWORD", "minio-test-secret"),
                        List.of(
                                binary.toString(),
                                "server",
                                directory.resolve("data").toString(),
                                "--address",
                                "127.0.0.1:" + port,
                                "--quiet")),
                directory);
        return new S3Server("MinIO (process)", local(port), "minio-test", "minio-test-secret");
    }

    private static S3Server weedProcess(Path binary) {
        Path directory = folder("weed");
        int port = ServerProcess.freePort();
        try {
            Files.writeString(
                    directory.resolve("s3.json"),
                    "{\"identities\":[{\"name\":\"kv\",\"credentials\":[{\"accessKey\":\"weed-test\",\"secretKey\":"
                            + "\"weed-test-secret\"}],\"actions\":[\"Admin\",\"Read\",\"Write\",\"List\",\"Tagging\"]}]}");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        closeAtExit(
                ServerProcess.start(
                        directory,
                        port,
                        Map.of(),
                        List.of(
                                binary.toString(),
                                "server",
                                "-dir=" + directory,
                                "-ip=127.0.0.1",
                                "-ip.bind=127.0.0.1",
                                "-s3",
                                "-s3.port=" + port,
                                "-s3.config=" + directory.resolve("s3.json"),
                                "-master.port=" + ServerProcess.freePort(),
                                "-master.port.grpc=" + ServerProcess.freePort(),
                                "-volume.port=" + ServerProcess.freePort(),
                                "-volume.port.grpc=" + ServerProcess.freePort(),
                                "-filer.port=" + ServerProcess.freePort(),
                                "-filer.port.grpc=" + ServerProcess.freePort(),
                                "-s3.port.grpc=" + ServerProcess.freePort(),
                                "-volume.max=200",
                                "-master.volumeSizeLimitMB=64")),
                directory);
        return new S3Server("SeaweedFS (process)", local(port), "weed-test", "weed-test-secret");
    }

    /** S3Proxy from its own folder of jars, never on the class path of the tests. */
    private static Optional<S3Server> s3Proxy() {
        Path jars = ServerProcess.peersHome().resolve("s3proxy/lib");
        if (!Files.isDirectory(jars)) {
            return Optional.empty();
        }
        Path directory = folder("s3proxy");
        int port = ServerProcess.freePort();
        try (Stream<String> settings = Stream.of(
                "s3proxy.endpoint=http://127.0.0.1:" + port,
                "s3proxy.authorization=aws-v2-or-v4",
                "s3proxy.identity=proxy-test",
                "s3proxy.credential=proxy-test-secret",
                "jclouds.provider=filesystem-nio2",
                "jclouds.filesystem.basedir=" + directory)) {
            Files.write(directory.resolve("s3proxy.conf"), settings.toList());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        closeAtExit(
                ServerProcess.start(
                        directory,
                        port,
                        Map.of(),
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                jars + "/*",
                                "org.gaul.s3proxy.Main",
                                "--properties",
                                directory.resolve("s3proxy.conf").toString())),
                directory);
        return Optional.of(new S3Server("S3Proxy (process)", local(port), "proxy-test", "proxy-test-secret"));
    }

    private static URI local(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static Path folder(String name) {
        try {
            return Files.createTempDirectory("nixlkv-" + name);
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

    private static void closeAtExit(ServerProcess server, Path folder) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            delete(folder);
                        },
                        "stop-server"));
    }
}
