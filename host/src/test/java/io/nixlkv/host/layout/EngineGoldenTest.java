package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.nixlkv.api.EngineKey;
import io.nixlkv.api.EngineKey.Tag;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Layouts of LMCache's in-process backend against names that LMCache made. */
class EngineGoldenTest {
    private final NameBuffer name = new NameBuffer();

    static List<JsonNode> engine() throws IOException {
        return Golden.section("lmcache_engine");
    }

    static List<JsonNode> memos() throws IOException {
        return Golden.section("doca_memos");
    }

    private static LmcacheEngineLayout engineOf(String model) {
        return new LmcacheEngineLayout(Optional.ofNullable(model), NameRules.refusingLong());
    }

    private static final DocaMemosLayout MEMOS = new DocaMemosLayout(NameRules.refusingLong());

    @Test
    void everyRowIsThere() throws IOException {
        assertEquals(24, engine().size());
        assertEquals(12, memos().size());
    }

    @ParameterizedTest
    @MethodSource("engine")
    void engineName(JsonNode row) {
        List<Tag> tags = new ArrayList<>();
        row.get("tags")
                .properties()
                .forEach(tag -> tags.add(new Tag(tag.getKey(), tag.getValue().asText())));
        EngineKey key = new EngineKey(
                row.get("model").asText(),
                row.get("world_size").asInt(),
                row.get("worker_id").asInt(),
                row.get("chunk_hash_hex").asText(),
                row.get("dtype").asText(),
                tags);
        assertEquals(row.get("text").asText(), key.text());
        assertEquals(key, EngineKey.parse(key.text()));

        String physical = row.get("url_safe_name").asText();
        engineOf(null).name(key, name);
        assertEquals(physical, name.toString());
        LmcacheEngineLayout own = engineOf(key.model());
        own.name(key, name);
        assertEquals(physical, name.toString());
        assertEquals(key, own.parseKey(key.text()));
        assertEquals(Optional.of(key), own.parseName(physical));
        assertEquals(Optional.of(new RawKey(physical)), engineOf(null).parseName(physical), "not told without a model");
        assertEquals(Optional.empty(), engineOf("another").parseName(physical));

        MEMOS.name(key, name);
        assertEquals(row.get("doca_memos_name").asText(), name.toString());
    }

    @ParameterizedTest
    @MethodSource("memos")
    void memosName(JsonNode row) {
        String physical = row.get("name").asText();
        MEMOS.name(MEMOS.parseKey(row.get("key").asText()), name);
        assertEquals(physical, name.toString());
        assertEquals(Optional.of(new RawKey(physical)), MEMOS.parseName(physical), "opaque");
        MEMOS.name(MEMOS.parseKey(physical), name);
        assertEquals(physical, name.toString(), "taken back as listed");
    }

    /** LMCache's own functions made these (facts on LMCache, table of names). */
    @ParameterizedTest
    @CsvSource({
        "m/x y+z@1@0@ff@uint8@user%a b, m_x%20y%2Bz_1_0_ff_uint8_user%25a%20b, 07193e5de35c70594088a0c2f94ba2be",
        "org/model@2@1@00112233@half, org_model_2_1_00112233_half, 597007714fe5522394a388b5395ce972",
    })
    void otherNames(String text, String urlSafe, String memos) {
        engineOf(null).name(EngineKey.parse(text), name);
        assertEquals(urlSafe, name.toString());
        MEMOS.name(EngineKey.parse(text), name);
        assertEquals(memos, name.toString());
    }

    @Test
    void tagsAreReadWhereTheyCanComeFromOneKeyOnly() {
        LmcacheEngineLayout layout = engineOf("m");
        for (String text : List.of(
                "m@1@0@ff@half@user_id%a_b",
                "m@1@0@ff@fp8_e5m2@a%1@b%2@c%3", "m@1@0@ff@half@a%", "m@1@0@ff@half@a%50%", "m@1@0@ff@mystery_type")) {
            EngineKey key = EngineKey.parse(text);
            layout.name(key, name);
            assertEquals(Optional.of(key), layout.parseName(name.toString()), text);
        }
        layout.name(EngineKey.parse("m@1@0@ff@half@a%b@c_d%e"), name);
        assertEquals(Optional.of(new RawKey(name.toString())), layout.parseName(name.toString()), "a%b_c, d%e too");
        layout.name(layout.parseName(name.toString()).orElseThrow(), name);
        assertEquals("m_1_0_ff_half_a%25b_c_d%25e", name.toString());
        assertEquals(Optional.empty(), layout.parseName("m_1_0_ff_half_a%2"));
        assertEquals(Optional.empty(), layout.parseName("m_1_0_ff_half_a%zz"));
    }

    @Test
    void whatWouldBeMistakenIsRefused() {
        assertRefused(() -> engineOf("a/b").parseKey("a_b@1@0@ff@half"), "this store is for model a/b");
        assertRefused(() -> engineOf(null).parseKey("m@1@0@ff@half@a%x/y"), "tags without");
        assertRefused(() -> engineOf(null).parseKey("m@1@0@ff"), "model@world@worker@hash@dtype");
        assertRefused(() -> engineOf(null).parseKey("m@1@0@fg@half"), "hex");
        assertRefused(() -> engineOf(null).name(new ObjectKey("m", 1, 0, "00"), name), "takes an engine key");
        assertRefused(() -> MEMOS.name(new RawKey("x"), name), "takes an engine key");
    }

    private static void assertRefused(Runnable call, String part) {
        StorageException refused = assertThrows(StorageException.class, call::run);
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
}
