package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Layout {@code lmcache-dynamic} against names that LMCache's adapter made. */
class DynamicGoldenTest {
    private final NameBuffer name = new NameBuffer();

    static List<JsonNode> rows() throws IOException {
        return Golden.section("lmcache");
    }

    private static LmcacheDynamicLayout layout(String model, boolean sharded) {
        return new LmcacheDynamicLayout(Optional.ofNullable(model), sharded, NameRules.refusingLong());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void nameOfEveryRow(JsonNode row) {
        ObjectKey key = ObjectKey.parse(row.get("wire").asText());
        String physical = row.get("nixl_store_dynamic").asText();
        String sharded = row.get("shard_dirs").asText() + physical;
        for (String model : new String[] {null, key.model()}) {
            layout(model, false).name(key, name);
            assertEquals(physical, name.toString());
            layout(model, true).name(key, name);
            assertEquals(sharded, name.toString());
        }
        LmcacheDynamicLayout own = layout(key.model(), false);
        assertEquals(Optional.of(key), own.parseName(physical));
        assertEquals(Optional.of(key), layout(key.model(), true).parseName(sharded));
        assertTrue(own.isOfOtherSharding(sharded));
        assertFalse(own.isOfOtherSharding(physical));
        assertEquals(Optional.empty(), own.parseName(sharded));
        assertEquals(
                Optional.of(physical.contains("--") ? new RawKey(physical) : key),
                layout(null, false).parseName(physical),
                "only a name without -- tells its model");
        assertEquals(Optional.empty(), layout("another", false).parseName(physical));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org--model", "a-/b", "--"})
    void modelsThatCouldShareAFileNeedAConfiguredModel(String model) {
        ObjectKey key = new ObjectKey(model, 1, 0, "0011");
        StorageException refused =
                assertThrows(StorageException.class, () -> layout(null, false).name(key, name));
        assertTrue(refused.getMessage().contains("set [store] model"), refused.getMessage());
        layout(model, false).name(key, name);
        assertEquals(Optional.of(key), layout(model, false).parseName(name.toString()));
    }

    @Test
    void aStoreHasOneModel() {
        StorageException refused = assertThrows(
                StorageException.class, () -> layout("org/model", false).parseKey("org--model@1@0@0011"));
        assertTrue(refused.getMessage().contains("this store is for model org/model"), refused.getMessage());
    }

    @Test
    void aListedNameIsTakenBack() {
        LmcacheDynamicLayout layout = layout(null, false);
        String physical = "org--model_00000001_0_0011@s.bin";
        assertEquals(new RawKey(physical), layout.parseKey(physical));
        layout.name(new RawKey(physical), name);
        assertEquals(physical, name.toString());
        assertThrows(StorageException.class, () -> layout.name(new RawKey("x"), name));
    }

    /** P12: whatever is not refused is never shared, and found again where the model is configured. */
    @Test
    void differentKeysNeverShareAFile() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {"-", "/", "_", "a", "00000001", "_0_", "@", ".bin", "--"};
        Map<String, ObjectKey> owners = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            StringBuilder model = new StringBuilder();
            for (int n = 1 + random.nextInt(5); n > 0; n--) {
                model.append(pieces[random.nextInt(pieces.length)]);
            }
            ObjectKey key;
            try {
                key = new ObjectKey(model.toString(), random.nextInt(3), 0, "0011", random.nextBoolean() ? "" : "s_1");
                layout(null, false).name(key, name);
            } catch (IllegalArgumentException | StorageException refused) {
                continue;
            }
            String physical = name.toString();
            assertEquals(key, owners.computeIfAbsent(physical, p -> key), "seed " + seed);
            assertEquals(Optional.of(key), layout(key.model(), false).parseName(physical), "seed " + seed);
        }
        assertTrue(owners.size() > 1_000, "seed " + seed + " named only " + owners.size());
    }
}
