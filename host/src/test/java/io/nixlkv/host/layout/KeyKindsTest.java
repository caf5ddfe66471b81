package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.PageObjects;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.StoreSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keys refuse, and that sample keys are taken by every layout. */
class KeyKindsTest {
    private static final String H = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";

    @ParameterizedTest
    @CsvSource({
        "m@1@0@ff, with 4 parts",
        "@1@0@ff@half, model must be",
        "m@0@0@ff@half, world size",
        "m@x@0@ff@half, world size must be a number",
        "m@1@-1@ff@half, worker must be a number",
        "m@1@0@@half, chunk hash",
        "m@1@0@fg@half, chunk hash",
        "m@1@0@ff@ha lf, dtype",
        "m@1@0@ff@half@tag, name%value",
        "m@1@0@ff@half@%v, a tag's name",
    })
    void engineKeysSayWhatIsWrong(String text, String reason) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> EngineKey.parse(text));
        assertTrue(wrong.getMessage().contains(reason), wrong.getMessage());
    }

    @Test
    void pageKeysSayWhatIsWrong() {
        assertWrong("hex digits", () -> new PageKey("ABC", "m", 0, 1, ""));
        assertWrong("rank must be below size", () -> new PageKey(H, "m", 2, 2, ""));
        assertWrong("rank must be below size", () -> new PageKey(H, "m", 1, 0, ""));
        assertWrong("not a part of a KV page", () -> new PageKey(H, "m", 0, 1, "temporal"));
        assertWrong("not a part of side pool", () -> new PageKey(H, "m", 0, 1, "mamba", "x"));
        assertWrong("lower-case word", () -> new PageKey(H, "m", 0, 1, "Mamba", ""));
        assertWrong("starts with 64", () -> PageKey.parse("page-123"));
        assertWrong("rank must be below size", () -> new PageObjects("m", 1, 1, false, true));
        assertWrong("at least one buffer", () -> new PageObjects("m", 0, 1, false, true).ofSidePool(H, "swa", 0));
    }

    private static void assertWrong(String reason, Runnable call) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(wrong.getMessage().contains(reason), wrong.getMessage());
    }

    @Test
    void mambaInCopyModeHasARankEvenForMla() {
        PageObjects mla = new PageObjects("m", 3, 8, true, false);
        assertEquals(
                List.of(H + "_m_3_8_mamba"),
                mla.ofSidePool(H, "mamba", 1).stream().map(PageKey::text).toList());
        assertEquals(
                List.of(H + "_m_swa_0", H + "_m_swa_1", H + "_m_swa_2"),
                mla.ofSidePool(H, "swa", 3).stream().map(PageKey::text).toList());
        assertTrue(PageObjects.isZeroCopy("page_first_direct") && !PageObjects.isZeroCopy("layer_first"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lmcache", "lmcache-dynamic", "lmcache-engine", "hicache", "doca-memos", "raw"})
    void everyLayoutTakesItsSampleKeys(String layout) {
        for (String model : List.of("", "model = 'org/model'\n")) {
            StoreSettings settings = HostConfig.parse("[store]\nlayout = '" + layout + "'\n" + model, "c", Map.of())
                    .store();
            NameBuffer name = new NameBuffer();
            Layouts.of(settings).name(new SampleKeys(settings).key("bench-model", 7, "0".repeat(31) + "7"), name);
            assertTrue(name.length() > 0);
        }
    }
}
