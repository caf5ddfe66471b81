package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.testing.S3Process;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.MinIOContainer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
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
    private static final long DOCKER_SECONDS = 15;

    /** Started at the first use. */
    private static final class Minio {
        private static final Optional<S3Server> SERVER = given().or(S3Server::container)
                .or(() -> S3Process.minio().map(S3Server::of))
                .map(S3Server::announced)
                .or(() -> Proxy.SERVER);
    }

    /** Started at the first use. */
    private static final class Proxy {
        private static final Optional<S3Server> SERVER =
                S3Process.s3Proxy().map(S3Server::of).map(S3Server::announced);
    }

    /** Started at the first use. */
    private static final class Seaweed {
        private static final Optional<S3Server> SERVER =
                S3Process.seaweed().map(S3Server::of).map(S3Server::announced);
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

    /** S3Proxy. */
    static S3Server s3Proxy() {
        Assumptions.assumeTrue(
                Proxy.SERVER.isPresent(),
                "no S3Proxy: install it with benchmarks/peers and name its folder in NIXLKV_S3PROXY");
        return Proxy.SERVER.get();
    }

    private static S3Server of(S3Process process) {
        return new S3Server(process.name(), process.endpoint(), process.accessKey(), process.secretKey());
    }

    private static Optional<S3Server> given() {
        return Optional.of(System.getenv().getOrDefault("NIXLKV_TEST_S3_ENDPOINT", ""))
                .filter(text -> !text.isEmpty())
                .map(text -> new S3Server(
                        "NIXLKV_TEST_S3_ENDPOINT",
                        URI.create(text),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_ACCESS_KEY", "minioadmin"),
                        System.getenv().getOrDefault("NIXLKV_TEST_S3_SECRET_KEY", "minioadmin")));
    }

    /** MinIO in a container, unless Docker is absent, does not answer in time or cannot start it. */
    private static Optional<S3Server> container() {
        CompletableFuture<Boolean> docker = new CompletableFuture<>();
        // Testcontainers asks without a limit, and a socket may accept and never answer.
        Thread question = new Thread(
                () -> docker.complete(DockerClientFactory.instance().isDockerAvailable()), "is-docker-there");
        question.setDaemon(true);
        question.start();
        try {
            if (!docker.completeOnTimeout(false, DOCKER_SECONDS, TimeUnit.SECONDS)
                    .join()) {
                return Optional.empty();
            }
            MinIOContainer container = new MinIOContainer(MINIO_IMAGE);
            container.start();
            return Optional.of(new S3Server(
                    "MinIO (container)",
                    URI.create(container.getS3URL()),
                    container.getUserName(),
                    container.getPassword()));
        } catch (ContainerLaunchException | ContainerFetchException failed) {
            System.out.println("Docker answers, but " + MINIO_IMAGE + " does not start: " + failed.getMessage());
            return Optional.empty();
        }
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

    /** A client of the SDK beside ours with the SDK's own defaults, as others write and read. The caller closes it. */
    S3Client client() {
        return builder().build();
    }

    /** The same without checksum trailers, which some servers do not know. */
    private S3Client plainClient() {
        return builder()
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .build();
    }

    private S3ClientBuilder builder() {
        return S3Client.builder()
                .httpClientBuilder(Apache5HttpClient.builder())
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)));
    }

    /** Puts an object as somebody else. */
    void put(String bucket, String key, byte[] bytes) {
        try (S3Client client = plainClient()) {
            client.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(bytes));
        }
    }

    void createBucket(String bucket) {
        try (S3Client client = plainClient()) {
            client.createBucket(b -> b.bucket(bucket));
        }
    }

    /** Removes a bucket with all that is in it. */
    void removeBucket(String bucket) {
        try (S3Client client = plainClient()) {
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
        String bucket = "is-it-ready-" + UUID.randomUUID();
        try (S3Client client = plainClient()) {
            while (true) {
                try {
                    client.listBuckets();
                    client.createBucket(b -> b.bucket(bucket));
                    client.putObject(b -> b.bucket(bucket).key("k"), RequestBody.fromString("x"));
                    client.deleteObject(b -> b.bucket(bucket).key("k"));
                    client.deleteBucket(b -> b.bucket(bucket));
                    return;
                } catch (BucketAlreadyOwnedByYouException halfReady) {
                    client.deleteBucket(b -> b.bucket(bucket));
                } catch (S3Exception notYet) {
                    if (System.nanoTime() > end) {
                        throw notYet;
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
        }
    }
}
