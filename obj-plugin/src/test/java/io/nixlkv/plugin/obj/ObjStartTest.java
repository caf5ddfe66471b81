package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Fault;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.ServerProcess;
import io.nixlkv.plugin.support.testing.TestCertificate;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that cannot work is refused when it is opened, in one sentence, in less than ten seconds. */
class ObjStartTest {
    private static final String MARKER = "S3CR3T-marker-123";

    private final S3Server server = S3Server.minio();
    private final String bucket = "start-" + UUID.randomUUID();

    @TempDir
    Path folder;

    @BeforeEach
    void create() {
        server.createBucket(bucket);
    }

    @AfterEach
    void remove() {
        server.removeBucket(bucket);
    }

    private Map<String, String> config(String... more) {
        return Obj.with(server.config(bucket), more);
    }

    private static void refused(Map<String, String> config, Status status, String... words) {
        long start = System.nanoTime();
        StorageException refused = assertThrows(StorageException.class, () -> new Obj(config).close());
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis < 10_000, "took " + millis + " ms");
        String said = refused.getMessage();
        assertEquals(status, refused.status(), said);
        for (String word : words) {
            assertTrue(said.contains(word), said + " does not say " + word);
        }
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            assertFalse(cause.toString().contains(MARKER), cause.toString());
        }
        assertFalse(said.contains("\n"), said);
    }

    private static void works(Map<String, String> config) {
        try (Obj obj = new Obj(config)) {
            assertEquals(Status.DONE, obj.write("k", 5000).status(0));
            assertEquals(Status.DONE, obj.read("k", 5000).status(0));
            assertTrue(obj.holds(5000));
        }
    }

    @Test
    void theDocumentedConfigurationWorks() {
        works(server.config(bucket));
        try (Obj obj = new Obj(server.config(bucket))) {
            assertEquals("If-None-Match", obj.backend.report().facts().get("create"));
            assertFalse(obj.backend.report().toString().contains(server.secretKey()));
        }
    }

    @Test
    void anAbsentBucketIsNamed() {
        refused(
                config("bucket", "no-such-bucket-here"),
                Status.UNAVAILABLE,
                "bucket no-such-bucket-here",
                server.endpoint().toString(),
                "create it");
    }

    @Test
    void aWrongSecretIsNamed() {
        refused(
                config("secret_key", MARKER),
                Status.DENIED,
                bucket,
                server.endpoint().toString(),
                "access_key (call)");
    }

    @Test
    void aWrongKeyIsNamed() {
        refused(config("access_key", "nobody", "secret_key", MARKER), Status.DENIED, "access key", "access_key (call)");
    }

    @Test
    void aWrongSessionTokenIsNamed() {
        refused(
                config("session_token", MARKER),
                Status.DENIED,
                server.endpoint().toString());
    }

    @Test
    void noCredentialsAreNamedWithoutAMetadataService() {
        assumeTrue(
                System.getenv("AWS_ACCESS_KEY_ID") == null
                        && Files.notExists(Path.of(System.getProperty("user.home"), ".aws")),
                "this machine has AWS keys");
        long start = System.nanoTime();
        refused(
                Map.of("bucket", bucket, "endpoint_override", server.endpoint().toString()),
                Status.DENIED,
                "no credentials",
                "AWS_ACCESS_KEY_ID",
                "access_key and secret_key");
        assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void aPortWithoutListenerIsNamed() {
        refused(
                config("endpoint_override", "127.0.0.1:" + ServerProcess.freePort()),
                Status.UNAVAILABLE,
                "cannot connect to http://127.0.0.1:",
                "port");
    }

    @Test
    void aSilentEndpointIsNamed() {
        try (FaultProxy proxy = FaultProxy.before(server.endpoint().getPort())) {
            proxy.rule(request -> new Fault.BlackHole());
            refused(
                    config("endpoint_override", proxy.address()),
                    Status.UNAVAILABLE,
                    proxy.address(),
                    "did not answer");
        }
    }

    @Test
    void anUnknownHostIsNamed() {
        refused(
                config("endpoint_override", "http://no-such-host.invalid:9000", "use_virtual_addressing", "true"),
                Status.UNAVAILABLE,
                "not known to DNS",
                "use_virtual_addressing");
    }

    @Test
    void httpsToAnHttpPortIsNamed() {
        refused(
                config("endpoint_override", "127.0.0.1:" + server.endpoint().getPort(), "scheme", "https"),
                Status.UNAVAILABLE,
                "plain HTTP",
                "scheme = \"http\"");
    }

    @Test
    void aSelfSignedCertificateNeedsItsBundle() throws IOException, GeneralSecurityException, InterruptedException {
        TestCertificate right = TestCertificate.make(folder, "right", "ip:127.0.0.1,dns:localhost");
        TestCertificate other = TestCertificate.make(folder, "other", "ip:127.0.0.1");
        TestCertificate elsewhere = TestCertificate.make(folder, "elsewhere", "dns:elsewhere.example");
        Path both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(other.pem()) + Files.readString(right.pem()));
        int port = server.endpoint().getPort();
        try (FaultProxy tls = FaultProxy.tlsBefore(port, right.context());
                FaultProxy misnamed = FaultProxy.tlsBefore(port, elsewhere.context())) {
            String address = tls.address();
            works(config("endpoint_override", address, "ca_bundle", both.toString()));
            works(config("endpoint_override", address, "ca_bundle", both.toString(), "req_checksum", "supported"));
            refused(config("endpoint_override", address), Status.UNAVAILABLE, "certificate", "ca_bundle");
            refused(
                    config(
                            "endpoint_override",
                            address,
                            "ca_bundle",
                            other.pem().toString()),
                    Status.UNAVAILABLE,
                    "certificate",
                    "ca_bundle");
            refused(
                    config(
                            "endpoint_override",
                            misnamed.address(),
                            "ca_bundle",
                            elsewhere.pem().toString()),
                    Status.UNAVAILABLE,
                    "another host name");
        }
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");
        for (Path wrong : new Path[] {folder.resolve("absent.pem"), folder, empty, text}) {
            refused(config("ca_bundle", wrong.toString()), Status.INVALID, "ca_bundle " + wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x", "http://", "http://h:99999", " http://h:9000 ", "http://h:9000?x=1", "h o"})
    void anEndpointThatIsNoneIsRefused(String text) {
        refused(config("endpoint_override", text), Status.INVALID, "endpoint_override");
    }

    @Test
    void aPasswordInTheEndpointIsNotShown() {
        refused(config("endpoint_override", "http://u:" + MARKER + "@h"), Status.INVALID, "endpoint_override");
    }

    @Test
    void everyFormOfAnEndpointWorks() {
        int port = server.endpoint().getPort();
        works(config("endpoint_override", "127.0.0.1:" + port));
        works(config("endpoint_override", "localhost:" + port));
        works(config("endpoint_override", "http://127.0.0.1:" + port + "/"));
        works(config("endpoint_override", "http://127.0.0.1:" + port, "scheme", "https"));
        works(config("endpoint_override", "http://127.0.0.1:" + port, "use_virtual_addressing", "true"));
        works(config("endpoint_override", "http://127.0.0.1:" + port, "use_virtual_addressing", "false"));
        assertEquals("http://[::1]:9000", Endpoint.of("[::1]:9000", "http").toString());
        assertEquals("http://[fe80::1]", Endpoint.of("fe80::1", "http").toString());
        assertEquals("https://minio", Endpoint.of("minio", "https").toString());
    }

    @Test
    void incompleteConfigurationsAreNamed() {
        refused(Map.of(), Status.INVALID, "bucket or AWS_DEFAULT_BUCKET is required");
        refused(config("secret_key", ""), Status.INVALID, "access_key is given without secret_key");
        refused(
                Map.of("bucket", bucket, "secret_key", MARKER),
                Status.INVALID,
                "secret_key is given without access_key");
    }

    @Test
    void aStoreThatIgnoresIfNoneMatchRefusesCreateOnly() {
        try (FaultProxy proxy = FaultProxy.before(server.endpoint().getPort())) {
            // The signature covers the header: the first conditional write passes, the next ones are "accepted" here.
            AtomicInteger conditional = new AtomicInteger();
            proxy.rule(request -> request.header("if-none-match").isEmpty() || conditional.getAndIncrement() == 0
                    ? Fault.pass()
                    : new Fault.Answer(200, Map.of("ETag", "\"x\""), ""));
            try (Obj obj = new Obj(config("endpoint_override", proxy.address()))) {
                PackedBatch refused = obj.create("k", 100);
                assertEquals(Status.UNSUPPORTED, refused.status(0));
                assertTrue(refused.sentence(0).contains("write_mode = \"replace\""), refused.sentence(0));
                assertEquals(Status.DONE, obj.write("k", 100).status(0));
            }
        }
    }

    /** O03: a server that does not strip the framing of a body has stored more than was sent. */
    @Test
    void aStoreThatKeepsTheFramingOfABodyIsRefused() {
        try (FaultProxy proxy = FaultProxy.before(server.endpoint().getPort())) {
            proxy.rule(request ->
                    request.method().equals("GET") && request.target().contains("selftest")
                            ? new Fault.Answer(200, Map.of("ETag", "\"x\""), "1001;chunk-signature=".repeat(300))
                            : Fault.pass());
            refused(
                    config("endpoint_override", proxy.address(), "req_checksum", "supported"),
                    Status.FAILED,
                    "stored 6300 bytes where 4097 were sent",
                    "req_checksum = \"required\"");
        }
    }

    @Test
    void aStoreWithoutConditionalWritesIsUsedForReplace() {
        try (FaultProxy proxy = FaultProxy.before(server.endpoint().getPort())) {
            proxy.rule(request ->
                    request.header("if-none-match").isEmpty() ? Fault.pass() : Fault.s3Error(501, "NotImplemented"));
            try (Obj obj = new Obj(config("endpoint_override", proxy.address()))) {
                assertEquals(
                        "not honoured by the store",
                        obj.backend.report().facts().get("create"));
                assertEquals(Status.UNSUPPORTED, obj.create("k", 100).status(0));
                assertEquals(Status.DONE, obj.write("k", 100).status(0));
                assertEquals(Status.DONE, obj.read("k", 100).status(0));
            }
        }
    }

    @Test
    void twoConfigurationsAreOpenAtOnce() {
        try (Obj one = new Obj(config("prefix", "one/"));
                Obj two = new Obj(config("prefix", "two/", "req_checksum", "supported"))) {
            assertEquals(Status.DONE, one.write("k", 100).status(0));
            assertEquals(Status.MISSING, two.query("k").status(0));
            assertEquals(Status.DONE, two.write("k", 200).status(0));
            assertEquals(100, one.query("k").storedLength(0));
            assertEquals(200, two.query("k").storedLength(0));
        }
    }

    @Test
    void secretsAreMasked() {
        String shown = ParameterValues.of(
                        ObjParameters.ALL,
                        Map.of("secret_key", MARKER, "session_token", MARKER, "access_key", "a", "bucket", bucket))
                .toString();
        assertFalse(shown.contains(MARKER), shown);
        ObjSettings settings = ObjSettings.of(ParameterValues.of(
                ObjParameters.ALL,
                Map.of("secret_key", MARKER, "session_token", MARKER, "access_key", "a", "bucket", bucket)));
        assertFalse(settings.toString().contains(MARKER), settings.toString());
    }
}
