package io.nixlkv.plugin.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Engine {@code nixl} of AZURE_BLOB: what it passes on, and what it says of a store that cannot work. */
class AzureNixlTest {
    private static StrategyConfig values(Map<String, String> given) {
        return ParameterValues.of(new AzureBlobStrategy().info().parameters(), given);
    }

    @Test
    void nixlGetsCheckedValuesUnderItsOwnNames() {
        String connection = Azurite.connection("127.0.0.1", 10000);
        StrategyConfig config =
                values(Map.of("connection_string", connection, "container_name", "kv-pages", "num_threads", "2"));
        NixlSettings settings = AzureNixl.nixl(config, AzureSettings.of(config));
        assertEquals("AZURE_BLOB", settings.plugin());
        assertEquals(
                Map.of("container_name", "kv-pages", "connection_string", connection, "num_threads", "2"),
                settings.parameters());
        assertFalse(settings.toString().contains(Azurite.KEY), settings.toString());
    }

    @Test
    void aSasInTheAddressIsRefusedSinceNixlTakesNone() {
        EngineOffer nixl = new AzureBlobStrategy()
                .probe(values(
                        Map.of("account_url", "https://kv.blob.core.windows.net/?sig=x", "container_name", "kv-pages")))
                .get(1);
        assertEquals("nixl", nixl.engine());
        assertTrue(nixl.unavailable().orElse("").contains("put it into connection_string"), nixl.toString());
    }

    /** With a store. */
    @Nested
    @NeedsNixl("AZURE_BLOB")
    class Start {
        private final Azurite server = Azurite.server();
        private final String container = "nixl-" + UUID.randomUUID();

        @BeforeEach
        void create() {
            server.client(container).create();
        }

        @AfterEach
        void remove() {
            server.client(container).delete();
        }

        private StorageBackend open(MappedArena arena, Map<String, String> config) {
            return new AzureBlobStrategy().open(new OpenContext("nixl", values(config), arena, 1));
        }

        private void refused(Map<String, String> config, String word) {
            long start = System.nanoTime();
            try (MappedArena arena = MappedArena.of(1 << 20)) {
                StorageException refused = assertThrows(StorageException.class, () -> open(arena, config));
                assertTrue(refused.getMessage().contains(word), refused.getMessage());
                assertFalse(refused.getMessage().contains("AccountKey="), refused.getMessage());
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis < 10_000, "took " + millis + " ms");
        }

        @Test
        void aMissingContainerIsNamedAndNotAnEmptyCache() {
            refused(server.config("no-such-container"), "no-such-container");
        }

        @Test
        void aWrongKeyIsNamed() {
            String other = Base64.getEncoder().encodeToString("another key".getBytes(StandardCharsets.US_ASCII));
            refused(
                    Map.of(
                            "connection_string",
                            server.connection().replace(Azurite.KEY, other),
                            "container_name",
                            container),
                    "connection_string");
        }

        @Test
        void theSelfTestLeavesNothing() {
            try (MappedArena arena = MappedArena.of(1 << 20);
                    StorageBackend backend = open(arena, server.config(container))) {
                assertEquals("AZURE_BLOB", backend.report().facts().get("nixl_plugin"));
            }
            assertEquals(0, server.client(container).listBlobs().stream().count());
        }
    }
}
