package io.nixlkv.plugin.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import io.nixlkv.plugin.support.testing.FaultProxy;
import io.nixlkv.plugin.support.testing.ServerProcess;
import io.nixlkv.plugin.support.testing.TestCertificate;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that cannot work is refused when it is opened, in one sentence, in less than ten seconds. */
class AzureStartTest {
    private static final String MARKER = "S3CR3T-marker-123";

    private final Azurite server = Azurite.server();
    private final String container = "start-" + UUID.randomUUID();

    @BeforeEach
    void create() {
        server.client(container).create();
    }

    @AfterEach
    void remove() {
        server.client(container).delete();
    }

    private static void refused(Map<String, String> config, Status status, String... words) {
        long start = System.nanoTime();
        StorageException refused = assertThrows(StorageException.class, () -> new Blobs(config).close());
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
        try (Blobs blobs = new Blobs(config)) {
            assertEquals(Status.DONE, blobs.write("k", 5000).status(0));
            assertEquals(Status.DONE, blobs.read("k", 5000).status(0));
            assertTrue(blobs.holds(5000));
        }
    }

    private Map<String, String> connection(String text) {
        return Map.of("connection_string", text, "container_name", container);
    }

    @Test
    void everyFormOfAConnectionStringWorks() {
        works(server.config(container));
        works(connection(server.connection() + ";"));
        works(connection(" " + server.connection().replace(";", " ; ") + " "));
        works(connection(Azurite.connection("localhost", server.port())));
        works(connection(Azurite.connection("0.0.0.0", server.port())));
        assertEquals(
                "http://127.0.0.1:10000/devstoreaccount1 with the emulator's own key",
                Account.of("UseDevelopmentStorage=true", "").toString());
    }

    @Test
    void aSasInTheAddressWorks() {
        String sas = server.client(container)
                .generateSas(new BlobServiceSasSignatureValues(
                        OffsetDateTime.now().plusHours(1), BlobContainerSasPermission.parse("racwdl")));
        String address = "http://127.0.0.1:" + server.port() + "/" + Azurite.ACCOUNT;
        works(Map.of("account_url", address + "?" + sas, "container_name", container));
        refused(
                Map.of(
                        "account_url",
                        address + "?" + sas.replaceAll("sig=[^&]*", "sig=" + MARKER),
                        "container_name",
                        container),
                Status.DENIED,
                "the SAS of account_url",
                container);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"A_b", "ab", "a--b", "-ab", "0123456789012345678901234567890123456789012345678901234567890123"})
    void aContainerNameThatIsNoneIsRefused(String name) {
        refused(Map.of("connection_string", server.connection(), "container_name", name), Status.INVALID, name);
    }

    @Test
    void anAbsentContainerIsNamed() {
        refused(
                Map.of("connection_string", server.connection(), "container_name", "not-here"),
                Status.UNAVAILABLE,
                "container not-here",
                "create it");
    }

    @Test
    void missingPartsAreNamed() {
        refused(Map.of(), Status.INVALID, "container_name or AZURE_STORAGE_CONTAINER_NAME is required");
        refused(Map.of("container_name", container), Status.INVALID, "account_url or connection_string");
        refused(connection("AccountName=a;BlobEndpoint=http://h"), Status.INVALID, "no AccountKey");
        refused(connection("AccountKey=" + MARKER + ";BlobEndpoint=http://h"), Status.INVALID, "no AccountName");
        refused(connection("AccountName=a;AccountKey=" + MARKER), Status.INVALID, "BlobEndpoint");
        refused(connection("AccountName=a;" + MARKER), Status.INVALID, "without \"=\"");
    }

    @Test
    void aWrongKeyIsNamed() {
        String wrong = Base64.getEncoder().encodeToString(MARKER.getBytes(StandardCharsets.US_ASCII));
        refused(
                connection(server.connection().replace(Azurite.KEY, wrong)),
                Status.DENIED,
                "the key of connection_string",
                container);
    }

    @Test
    void aPortWithoutListenerIsNamed() {
        refused(
                connection(Azurite.connection("127.0.0.1", ServerProcess.freePort())),
                Status.UNAVAILABLE,
                "cannot connect to http://127.0.0.1:");
    }

    @Test
    void httpsToAnHttpPortIsNamed() {
        refused(
                connection(server.connection().replace("BlobEndpoint=http:", "BlobEndpoint=https:")),
                Status.UNAVAILABLE,
                "plain HTTP");
    }

    @Test
    void aSelfSignedCertificateNeedsItsBundle(@TempDir Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        TestCertificate right = TestCertificate.make(folder, "right", "ip:127.0.0.1");
        try (FaultProxy tls = FaultProxy.tlsBefore(server.port(), right.context())) {
            String text =
                    Azurite.connection("127.0.0.1", tls.port()).replace("BlobEndpoint=http:", "BlobEndpoint=https:");
            works(Map.of(
                    "connection_string",
                    text,
                    "container_name",
                    container,
                    "ca_bundle",
                    right.pem().toString()));
            refused(connection(text), Status.UNAVAILABLE, "certificate", "ca_bundle");
        }
    }

    @Test
    void noIdentityIsNamed(@TempDir Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        assumeTrue(
                System.getenv("AZURE_CLIENT_ID") == null
                        && Files.notExists(Path.of(System.getProperty("user.home"), ".azure")),
                "somebody has signed in to Azure on this machine");
        TestCertificate right = TestCertificate.make(folder, "right", "ip:127.0.0.1");
        try (FaultProxy tls = FaultProxy.tlsBefore(server.port(), right.context())) {
            refused(
                    Map.of(
                            "account_url",
                            tls.address() + "/" + Azurite.ACCOUNT,
                            "container_name",
                            container,
                            "ca_bundle",
                            right.pem().toString()),
                    Status.DENIED,
                    "the default credential chain",
                    "set connection_string");
        }
        refused(
                Map.of("account_url", "http://127.0.0.1:1/a", "container_name", container),
                Status.INVALID,
                "needs https");
    }

    @Test
    void secretsAreMasked() {
        Map<String, String> config = Map.of(
                "connection_string",
                "AccountName=a;AccountKey=" + MARKER + ";BlobEndpoint=http://h",
                "account_url",
                "https://a.blob.core.windows.net?sig=" + MARKER,
                "container_name",
                container);
        ParameterValues values = ParameterValues.of(AzureParameters.ALL, config);
        assertFalse(values.toString().contains(MARKER));
        assertFalse(AzureSettings.of(values).toString().contains(MARKER));
        assertFalse(AzureSettings.of(values).account().toString().contains(MARKER));
    }
}
