package io.nixlkv.plugin.support.testing;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real S3 server as a child process that lives as long as the JVM. It may still refuse requests for a moment after it was started.
 *
 * @param name what it is, for reports
 */
public record S3Process(String name, URI endpoint, String accessKey, String secretKey) {
    /** MinIO, from {@code NIXLKV_MINIO}, the installed peers or {@code PATH}. */
    public static Optional<S3Process> minio() {
        return ServerProcess.find("NIXLKV_MINIO", "minio", "minio/minio").map(S3Process::startMinio);
    }

    /** SeaweedFS, from {@code NIXLKV_WEED}, the installed peers or {@code PATH}. */
    public static Optional<S3Process> seaweed() {
        return ServerProcess.find("NIXLKV_WEED", "weed", "seaweedfs/bin/weed").map(S3Process::startSeaweed);
    }

    /** S3Proxy over a folder, from a folder of jars in {@code NIXLKV_S3PROXY} or the installed peers; never on our class path. */
    public static Optional<S3Process> s3Proxy() {
        String given = System.getenv().getOrDefault("NIXLKV_S3PROXY", "");
        Path jars = given.isEmpty() ? ServerProcess.peersHome().resolve("s3proxy") : Path.of(given);
        return Optional.of(jars).filter(Files::isDirectory).map(S3Process::startS3Proxy);
    }

    private static S3Process startMinio(Path binary) {
        Path folder = ServerProcess.quickFolder("minio");
        int port = ServerProcess.freePort();
        ServerProcess.start(
                        folder,
                        port,
                        Map.of("MINIO_ROOT_USER", "minio-test", "MINIO_ROOT_PASSWORD", "minio-test-secret"),
                        List.of(
                                binary.toString(),
                                "server",
                                folder.resolve("data").toString(),
                                "--address",
                                "127.0.0.1:" + port,
                                "--quiet"))
                .untilExit(folder);
        return new S3Process("MinIO (process)", local(port), "minio-test", "minio-test-secret");
    }

    private static S3Process startSeaweed(Path binary) {
        Path folder = ServerProcess.quickFolder("weed");
        int port = ServerProcess.freePort();
        Path identities = ServerProcess.write(
                folder.resolve("s3.json"),
                List.of("{\"identities\":[{\"name\":\"kv\",\"credentials\":[{\"accessKey\":\"weed-test\",\"secretKey\":"
                        + "\"weed-test-secret\"}],\"actions\":[\"Admin\",\"Read\",\"Write\",\"List\",\"Tagging\"]}]}"));
        ServerProcess.start(
                        folder,
                        port,
                        Map.of(),
                        List.of(
                                binary.toString(),
                                "server",
                                "-dir=" + folder,
                                "-ip=127.0.0.1",
                                "-ip.bind=127.0.0.1",
                                "-s3",
                                "-s3.port=" + port,
                                "-s3.config=" + identities,
                                "-master.port=" + ServerProcess.freePort(),
                                "-master.port.grpc=" + ServerProcess.freePort(),
                                "-volume.port=" + ServerProcess.freePort(),
                                "-volume.port.grpc=" + ServerProcess.freePort(),
                                "-filer.port=" + ServerProcess.freePort(),
                                "-filer.port.grpc=" + ServerProcess.freePort(),
                                "-s3.port.grpc=" + ServerProcess.freePort(),
                                // more servers that would take ports of their own choice
                                "-s3.port.iceberg=0",
                                "-s3.port.lance=0",
                                "-master.telemetry=false",
                                "-volume.max=200",
                                "-master.volumeSizeLimitMB=64"))
                .untilExit(folder);
        return new S3Process("SeaweedFS (process)", local(port), "weed-test", "weed-test-secret");
    }

    private static S3Process startS3Proxy(Path jars) {
        Path folder = ServerProcess.folder("s3proxy");
        int port = ServerProcess.freePort();
        Path settings = ServerProcess.write(
                folder.resolve("s3proxy.conf"),
                List.of(
                        "s3proxy.endpoint=http://127.0.0.1:" + port,
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=proxy-test",
                        "s3proxy.credential=proxy-test-secret",
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.identity=none",
                        "jclouds.credential=none",
                        "jclouds.filesystem.basedir=" + folder));
        ServerProcess.start(
                        folder,
                        port,
                        Map.of(),
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-DLOG_LEVEL=error",
                                "-cp",
                                jars + "/*",
                                "org.gaul.s3proxy.Main",
                                "--properties",
                                settings.toString()))
                .untilExit(folder);
        return new S3Process("S3Proxy (process)", local(port), "proxy-test", "proxy-test-secret");
    }

    private static URI local(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
