package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.store.LengthRule;
import io.nixlkv.host.store.StoreSpec;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StoreLayersTest {
    private static HostConfig config(String store) {
        return HostConfig.parse("[store]\n" + store, "c.toml", Map.of());
    }

    private static StoreSpec spec(HostConfig config, Feature... features) {
        EngineOffer engine = EngineOffer.usable(
                "nixl",
                Set.of(Segment.DRAM_SEG, Segment.OBJ_SEG),
                new Capabilities(Set.of(features), 1, 1000, 100, 10));
        return new StoreSpec(
                "OBJ",
                "bucket",
                engine,
                Layouts.of(config.store()),
                LengthRule.EXACT,
                1,
                4096,
                Duration.ofSeconds(1),
                Mode.CREATE,
                Atomicity.PER_OBJECT,
                false,
                false,
                0,
                Map.of());
    }

    @Test
    void nativeObjectsRefuseEviction() {
        HostConfig config = config("max_capacity_gb = 1\neviction = \"lru\"");
        StorageException refused = assertThrows(
                StorageException.class,
                () -> StoreLayers.requireEvictable(
                        spec(config, Feature.CREATE, Feature.REPLACE), config.store(), config.modes()));
        assertEquals(Status.UNSUPPORTED, refused.status());
        assertTrue(
                refused.getMessage().startsWith("OBJECT storage does not support eviction with engine nixl of OBJ"),
                refused.getMessage());
        assertDoesNotThrow(() -> StoreLayers.requireEvictable(
                spec(config, Feature.DELETE, Feature.LIST), config.store(), config.modes()));
        HostConfig unlimited = config("max_capacity_gb = 1");
        assertDoesNotThrow(() -> StoreLayers.requireEvictable(spec(unlimited), unlimited.store(), unlimited.modes()));
    }

    private static String warnings(String store) {
        return config(store).warnings().stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
    }

    @Test
    void keysWithoutEffectAreNamed() {
        assertTrue(warnings("slot_bytes = 4096").contains("store.slot_bytes: has no effect with pool_size = 0"));
        assertTrue(warnings("eviction = \"lru\"").contains("store.eviction: has no effect with max_capacity_gb = 0"));
        assertTrue(warnings("pool_size = 2\nslot_bytes = 4096\nmax_capacity_gb = 1")
                .contains("store.max_capacity_gb: has no effect with pool_size above 0"));
        assertEquals("", warnings("pool_size = 2\nslot_bytes = 4096\npresence_cache = true\nasync_put = true"));
    }
}
