package io.nixlkv.host.importing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTranslationTest {
    private static final String HASH = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";

    private static KeyTranslation of(String from, String to, String model) {
        return KeyTranslation.of(from, to, LayoutSettings.NONE.withModel(model));
    }

    /** Every pair in which the target would need what the source's names do not hold. */
    @ParameterizedTest
    @CsvSource({
        "hicache, lmcache, m, SGLang's page",
        "hicache, doca-memos, m, SGLang's page",
        "lmcache, hicache, m, object key",
        "lmcache, lmcache-engine, m, engine key",
        "lmcache-engine, lmcache-dynamic, m, object key",
        "lmcache-dynamic, lmcache, '', give --from-model",
        "lmcache-engine, doca-memos, '', give --from-model",
        "doca-memos, lmcache-engine, m, digests",
        "lmcahe, lmcache, m, there is no layout lmcahe",
    })
    void pairsThatWouldLoseTheIdentityAreRefusedWithTheReason(String from, String to, String model, String reason) {
        StorageException refused = assertThrows(StorageException.class, () -> of(from, to, model));
        assertEquals(Status.INVALID, refused.status());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void everyFormOfLmcacheIsRead() {
        Optional<ObjectKey> key = Optional.of(new ObjectKey("org/model", 42, 7, "00112233", "s"));
        KeyTranslation translation = of("lmcache", "lmcache", "");
        for (String name : new String[] {
            "org-SEP-model@0x0000002a@7@00112233@s.data",
            "00/11/org-SEP-model@0x0000002a@7@00112233@s.data",
            "org/model@0000002a@7@00112233@s",
            "00/11/org/model@0000002a@7@00112233@s"
        }) {
            assertEquals(key, translation.key(name), name);
            assertEquals(Optional.of(new RawKey(name)), of("lmcache", "raw", "").key(name), "names stay as they are");
            assertEquals(key, of("raw", "lmcache", "").key(name), "a raw name means what it means in the target");
        }
        assertEquals(Optional.empty(), translation.key("README.md"));
        assertEquals(Optional.empty(), of("lmcache", "raw", "").key("README.md"));
        assertEquals(Optional.of(new RawKey("README.md")), of("raw", "raw", "").key("README.md"));
    }

    @Test
    void oneModelOfTheSourceTellsTheKey() {
        assertEquals(
                Optional.of(new ObjectKey("org/model", 42, 7, "00112233")),
                of("lmcache-dynamic", "lmcache", "org/model").key("org--model_0000002a_7_00112233.bin"));
        assertEquals(
                Optional.empty(),
                of("lmcache-dynamic", "lmcache", "another").key("org--model_0000002a_7_00112233.bin"));
        assertEquals(
                Optional.of(EngineKey.parse("org/model@1@0@ff@half")),
                of("lmcache-engine", "doca-memos", "org/model").key("org_model_1_0_ff_half"));
    }

    @Test
    void aNameThatDoesNotTellItsKeyStaysWithinItsLayout() {
        String name = "m_1_0_ff_half_a%25b_c_d%25e";
        assertEquals(
                Optional.of(new RawKey(name)),
                of("lmcache-engine", "lmcache-engine", "").key(name));
        assertEquals(
                Optional.of(new RawKey(name)), of("lmcache-engine", "raw", "m").key(name));
        KeyTranslation toMemos = of("lmcache-engine", "doca-memos", "m");
        StorageException refused = assertThrows(StorageException.class, () -> toMemos.key(name));
        assertTrue(refused.getMessage().contains("does not tell its key"), refused.getMessage());
    }

    @Test
    void pagesAreReadWithAndWithoutTheirBucket() {
        PageKey key = new PageKey(HASH, "meta-llama/Llama-3.1-8B-Instruct", 0, 8, "k");
        KeyTranslation translation = of("hicache", "hicache", "");
        assertEquals(Optional.of(key), translation.key("9a/" + key.text()));
        assertEquals(Optional.of(key), translation.key(key.text()));
    }
}
