package io.nixlkv.plugin.obj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.plugin.support.testing.ServerProcess;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Engine {@code nixl} of OBJ: what it passes on, and what it says of a store that cannot work. */
class ObjNixlTest {
    private static final String MARKER = "S3CR3T-marker-123";

    private static StrategyConfig values(Map<String, String> given) {
        return ParameterValues.of(new ObjStrategy().info().parameters(), given);
    }

    private static NixlSettings passed(String... pairs) {
        StrategyConfig config = values(Obj.with(Map.of("bucket", "kv-bucket"), pairs));
        return ObjNixl.nixl(config, ObjSettings.of(config));
    }

    @Test
    void nixlGetsCheckedValuesUnderItsOwnNames() {
        NixlSettings settings = passed(
                "endpoint_override", "localhost:9000", "access_key", "kv", "secret_key", MARKER, "connections", "7");
        assertEquals("OBJ", settings.plugin());
        assertEquals(
                Map.of(
                        "bucket", "kv-bucket",
                        "region", "us-east-1",
                        "endpoint_override", "http://localhost:9000",
                        "scheme", "http",
                        "access_key", "kv",
                        "secret_key", MARKER,
                        "use_virtual_addressing", "false",
                        "req_checksum", "required",
                        "resp_checksum", "supported",
                        "num_threads", "7"),
                settings.parameters());
        assertEquals(56, settings.slots());
        assertEquals("3", settings.environment().get("AWS_MAX_ATTEMPTS"));
        assertFalse(settings.toString().contains(MARKER), settings.toString());
    }

    @Test
    void thresholdsOfItsOtherClientsArePassedWhenTheyAreGiven() {
        assertFalse(passed().parameters().containsKey("crtMinLimit"));
        Map<String, String> parameters =
                passed("crtMinLimit", "1048576", "throughput_target_gbps", "4").parameters();
        assertEquals("1048576", parameters.get("crtMinLimit"));
        assertEquals("4", parameters.get("throughput_target_gbps"));
        assertEquals("10", parameters.get("num_threads"));
    }

    @Test
    void wrongValuesAreRefusedForBothEngines() {
        for (EngineOffer offer : new ObjStrategy().probe(values(Map.of("bucket", "no/bucket")))) {
            assertTrue(offer.unavailable().orElse("").contains("is no bucket name"), offer.toString());
        }
    }

    /** With a store. */
    @Nested
    @NeedsNixl("OBJ")
    class Start {
        private final S3Server server = S3Server.minio();
        private final String bucket = "nixl-" + UUID.randomUUID();

        @BeforeEach
        void create() {
            server.createBucket(bucket);
        }

        @AfterEach
        void remove() {
            server.removeBucket(bucket);
        }

        private StorageBackend open(MappedArena arena, Map<String, String> config) {
            return new ObjStrategy().open(new OpenContext("nixl", values(config), arena, 1));
        }

        private void refused(Map<String, String> config, String... words) {
            long start = System.nanoTime();
            try (MappedArena arena = MappedArena.of(1 << 20)) {
                StorageException refused = assertThrows(StorageException.class, () -> open(arena, config));
                for (String word : words) {
                    assertTrue(refused.getMessage().contains(word), refused.getMessage());
                }
                for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
                    assertFalse(cause.toString().contains(MARKER), cause.toString());
                }
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis < 10_000, "took " + millis + " ms");
        }

        @Test
        void aWrongBucketIsNamed() {
            refused(
                    Obj.with(server.config(bucket), "bucket", "no-such-bucket"),
                    "no-such-bucket",
                    server.endpoint().toString());
        }

        @Test
        void aWrongSecretIsNamedAndNotShown() {
            refused(Obj.with(server.config(bucket), "secret_key", MARKER), bucket, "access_key");
        }

        @Test
        void aStoreThatIsNotThereIsNamed() {
            String nowhere = "http://127.0.0.1:" + ServerProcess.freePort();
            refused(Obj.with(server.config(bucket), "endpoint_override", nowhere), nowhere);
        }

        @Test
        void theSelfTestLeavesNothingAndTheReportSaysWhoServes() {
            try (MappedArena arena = MappedArena.of(1 << 20);
                    StorageBackend backend = open(arena, server.config(bucket))) {
                assertEquals("OBJ", backend.report().facts().get("nixl_plugin"));
                assertTrue(backend.report().facts().get("removal").startsWith("none: objects stay"));
                assertFalse(backend.report().toString().contains(server.secretKey()));
                StorageException cannot = assertThrows(
                        StorageException.class,
                        () -> backend.list(0, "", System.nanoTime(), (name, bytes, use) -> true));
                assertEquals(Status.UNSUPPORTED, cannot.status());
            }
            try (var client = server.client()) {
                assertEquals(0, client.listObjectsV2(r -> r.bucket(bucket)).keyCount());
            }
        }
    }
}
