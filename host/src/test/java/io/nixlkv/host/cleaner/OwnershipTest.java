package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.PageKey;
import io.nixlkv.host.config.HostConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private static final Ownership ANY = Ownership.of(Tree.settings(), false);
    private static final Ownership LLAMA = Ownership.of(Tree.settings("model = \"llama\""), false);

    /** Names and groups by SGLang's own code. */
    @Test
    void groupsAreThoseOfSglangsCleaner() throws IOException {
        int names = 0;
        JsonNode rows = new ObjectMapper()
                .readTree(Path.of("src/test/resources/golden/names.json").toFile())
                .get("hicache_names");
        for (JsonNode row : rows) {
            for (int i = 0; i < row.get("names").size(); i++) {
                String text = row.get("names").get(i).asText();
                assertEquals(
                        row.get("cleaner_groups").get(i).asText(),
                        ANY.owned(Tree.name(PageKey.parse(text))).group());
                names++;
            }
        }
        assertEquals(40, names);
    }

    @Test
    void withOneModelAllObjectsOfAHashAreOnePage() {
        String page = Tree.hash(1);
        for (String suffix : new String[] {"_0_8_k", "_7_8_v", "_3_4", "", "_k", "_0_8_mamba_temporal", "_indexer_2"}) {
            Ownership.Owned owned = LLAMA.owned(Tree.name(PageKey.parse(page + "_llama" + suffix)));
            assertEquals(page, owned.group(), suffix);
            assertEquals("llama", owned.model());
        }
    }

    /** W02. */
    @Test
    void otherModelsAreOthersEvenIfTheirNamesBeginAlike() {
        assertNotNull(LLAMA.owned(Tree.name(Tree.key(1, "llama", "k"))));
        for (String model : new String[] {"llama-2", "llam", "llama_3_1", "Llama", "my-llama", ""}) {
            assertNull(LLAMA.owned(Tree.name(Tree.key(1, model, "k"))), model);
            assertNotNull(ANY.owned(Tree.name(Tree.key(1, model, "k"))), model);
        }
        Ownership told = Ownership.of(Tree.settings("model = \"llama\""), true);
        assertEquals(
                "llama-2", told.owned(Tree.name(Tree.key(1, "llama-2", "k"))).model());
    }

    @Test
    void whatIsNotAPageInItsPlaceIsForeign() {
        String right = Tree.name(Tree.key(1, "llama", "k"));
        String bucket = right.substring(0, 2);
        String other = bucket.equals("00") ? "01" : "00";
        for (String name : new String[] {
            "README",
            bucket + "/notes.txt",
            other + right.substring(2),
            right.substring(3),
            "x/" + right,
            right + ".tmp.12",
            right + "~",
            bucket + "/." + right.substring(3),
            right.toUpperCase(java.util.Locale.ROOT),
            bucket + "/long-sha256-" + "0".repeat(64),
            ".nixlkv/x"
        }) {
            assertNull(LLAMA.owned(name), name);
            assertTrue(LLAMA.key(name).isEmpty(), name);
        }
        assertEquals(Tree.key(1, "llama", "k"), LLAMA.key(right).orElseThrow());
    }

    @Test
    void onlyBucketsAreEntered() {
        assertTrue(ANY.enters("", "a0"));
        for (String folder : new String[] {".nixlkv", "A0", "a00", "g0", "0"}) {
            assertFalse(ANY.enters("", folder), folder);
        }
        assertFalse(ANY.enters("a0/", "a0"));
    }

    /** Facts on SGLang's cleaner: it takes two models for one there. */
    @Test
    void aModelThatEndsLikeARankStaysApartWhereTheModelIsKnown() {
        Ownership known = Ownership.of(Tree.settings("model = \"llama_3_1\""), false);
        assertNull(known.owned(Tree.name(new PageKey(Tree.hash(1), "llama", 0, 0, "k"))));
        assertEquals(
                Tree.hash(1),
                known.owned(Tree.name(new PageKey(Tree.hash(1), "llama_3_1", 0, 0, "k")))
                        .group());
    }

    @Test
    void temporariesAndPoolsOfOtherToolsAreNobodys() {
        Ownership raw = Ownership.of(
                HostConfig.parse("[store]\nlayout = \"raw\"", "c.toml", Map.of())
                        .store(),
                false);
        assertEquals("a/b", raw.owned("a/b").group());
        assertNotEquals(raw.owned("a/b").group(), raw.owned("a/c").group());
        assertNull(raw.owned("a/b.tmp.12"));
        assertNull(raw.owned("obj_3_1f.bin"));
        assertNotNull(raw.owned("model.bin"));
        assertFalse(raw.enters("", ".nixlkv"));
        assertTrue(raw.enters("a/", "b"));
    }
}
