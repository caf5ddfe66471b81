package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HicacheLayoutTest {
    private static final String H = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";
    private final HicacheLayout any = new HicacheLayout(Optional.empty(), true, NameRules.refusingLong());
    private final HicacheLayout own =
            new HicacheLayout(Optional.of(new PageNames("x/y", List.of("newpool"))), true, NameRules.refusingLong());
    private final NameBuffer name = new NameBuffer();

    /** Facts on SGLang: suffixes with an empty model, and names that end like ranks or pools. */
    @ParameterizedTest
    @CsvSource({
        "__0_1, '', 0, 1, '', ''",
        "_, '', 0, 0, '', ''",
        "__k, '', 0, 0, '', k",
        "_k, k, 0, 0, '', ''",
        "_mamba, mamba, 0, 0, '', ''",
        "_0_1, 0_1, 0, 0, '', ''",
        "_m_3_2, m_3_2, 0, 0, '', ''",
        "_m_0_8_draft_swa_v, m, 0, 8, draft_swa, v",
        "_m_7_8_mamba_conv_10, m, 7, 8, mamba, conv_10",
        "_m_deepseek_v4_c4_indexer_state_2, m, 0, 0, deepseek_v4_c4_indexer_state, 2",
        "_m_01_8, m_01_8, 0, 0, '', ''",
    })
    void namesAreReadAndKept(String tail, String model, int rank, int size, String pool, String part) {
        PageKey key = PageKey.parse(H + tail);
        assertEquals(H + tail, key.text());
        assertEquals(
                List.of(model, rank, size, pool, part),
                List.of(key.model(), key.tpRank(), key.tpSize(), key.pool(), key.part()));
        any.name(key, name);
        assertEquals(Optional.of(key), any.parseName(name.toString()));
    }

    /** The name is the identity, however it is taken apart. */
    @Test
    void equalNamesAreEqualKeys() {
        PageKey ofMla = new PageKey(H, "m_0_8", 0, 0, "k");
        assertEquals(PageKey.parse(H + "_m_0_8_k"), ofMla);
        assertEquals(PageKey.parse(H + "_m_0_8_k").hashCode(), ofMla.hashCode());
        assertEquals(new PageKey(H, "a/b", 0, 1, ""), new PageKey(H, "a-b", 0, 1, ""));
        assertNotEquals(new PageKey(H, "a", 0, 1, "k"), new PageKey(H, "a", 0, 1, "v"));
    }

    /** X01: ranks and sizes of one page have names of their own. */
    @Test
    void ranksDoNotShareNames() {
        List<PageKey> keys = List.of(
                new PageKey(H, "m", 0, 2, "k"),
                new PageKey(H, "m", 1, 2, "k"),
                new PageKey(H, "m", 0, 4, "k"),
                new PageKey(H, "m", 0, 0, "k"));
        assertEquals(4, keys.stream().map(PageKey::text).distinct().count());
    }

    @Test
    void aStoreOfOneModelTakesNoOther() {
        own.name(new PageKey(H, "x/y", 0, 1, "k"), name);
        String physical = name.toString();
        assertTrue(own.parseName(physical).isPresent());
        assertRefused(() -> own.name(new PageKey(H, "x/z", 0, 1, "k"), name), "this store is for model x/y");
        assertRefused(() -> own.parseKey(H + "_x-z_0_1_k"), "model x/y");
        assertRefused(() -> own.parseKey("page-123"), "model x/y");
        any.name(new PageKey(H, "x/z", 0, 1, "k"), name);
        assertEquals(Optional.empty(), own.parseName(name.toString()));
        PageKey more = (PageKey) own.parseKey(H + "_x-y_0_1_newpool_k");
        assertEquals("newpool", more.pool());
        assertRefused(() -> own.parseKey(H + "_x-y_0_1_otherpool_k"), "name of a page");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "", "..", "../x", "\u0001"})
    void namesThatAreNotFilesInABucketAreRefused(String text) {
        assertRefused(() -> any.parseKey(text), "layout hicache refuses");
    }

    @Test
    void otherKeysAreRefused() {
        assertRefused(() -> any.name(new ObjectKey("m", 1, 0, "00"), name), "ObjectKey");
    }

    @Test
    void filesInAWrongBucketAreNotListed() {
        any.name(new RawKey("page-123"), name);
        assertEquals("90/page-123", name.toString());
        assertEquals(Optional.of(new RawKey("page-123")), any.parseName("90/page-123"));
        assertEquals(Optional.empty(), any.parseName("91/page-123"));
        assertEquals(Optional.empty(), any.parseName("90/page-123/x"));
    }

    /** Facts on SGLang's cleaner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "_0_8",
                "_7_8_k",
                "_k",
                "_7_8_swa_k",
                "_7_8_mamba_temporal",
                "_7_8_mamba_conv_0",
                "_7_8_indexer_2",
                "_7_8_draft_swa",
                "_deepseek_v4_c4_indexer_state_2"
            })
    void groups(String tail) {
        assertEquals("page-a_model", PageGroup.of("page-a_model" + tail));
    }

    private static void assertRefused(Runnable call, String part) {
        StorageException refused = assertThrows(StorageException.class, call::run);
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
}
