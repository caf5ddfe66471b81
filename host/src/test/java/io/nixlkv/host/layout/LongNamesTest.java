package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.StorageException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P11: names with parts over 255 bytes, with the long-name rule on. */
class LongNamesTest {
    private final NameBuffer name = new NameBuffer();

    private static Layout layout(String store) {
        return Layouts.of(HostConfig.parse("[store]\nlong_names = 'hash'\n" + store, "c.toml", Map.of())
                .store());
    }

    private String name(Layout layout, KvKey key) {
        layout.name(key, name);
        return name.toString();
    }

    @Test
    void onlyPartsOver255BytesAreShortened() {
        Layout raw = layout("layout = 'raw'");
        for (int length : new int[] {1, 254, 255}) {
            assertEquals("k".repeat(length), name(raw, new RawKey("k".repeat(length))));
        }
        for (int length : new int[] {256, 300, 1000, 5000}) {
            String shortened = name(raw, new RawKey("k".repeat(length)));
            assertTrue(shortened.matches("long-sha256-[0-9a-f]{64}"), shortened);
            assertEquals("a/" + shortened + "/b", name(raw, new RawKey("a/" + "k".repeat(length) + "/b")));
        }
        assertEquals(
                "long-sha256-41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
                name(raw, new RawKey("a".repeat(1000))));
    }

    @Test
    void longNamesThatDifferInTheLastByteStayDistinct() {
        Layout raw = layout("layout = 'raw'");
        String start = "k".repeat(999);
        assertNotEquals(name(raw, new RawKey(start + "a")), name(raw, new RawKey(start + "b")));
    }

    @ParameterizedTest
    @CsvSource({
        "layout = 'lmcache', long-sha256-",
        "shard_dirs = true, 00/11/long-sha256-",
        "layout = 'lmcache-dynamic', long-sha256-"
    })
    void longKeysAreFoundUnderTheirNameAndListedAsIt(String store, String start) {
        Layout layout = layout(store);
        ObjectKey key = new ObjectKey("m".repeat(300), 1, 0, "00112233", "s");
        String physical = name(layout, key);
        assertTrue(physical.startsWith(start), physical);
        assertEquals(Optional.of(new RawKey(physical)), layout.parseName(physical));
        assertEquals(physical, name(layout, layout.parseKey(physical)));
    }

    @Test
    void aKeyCannotTakeTheNameOfALongOne() {
        Layout lmcache = layout("name_form = 'wire'");
        String physical = name(lmcache, new ObjectKey("m".repeat(300), 1, 0, "00112233"));
        ObjectKey thief = new ObjectKey(physical + "/m", 1, 0, "00112233");
        StorageException refused = assertThrows(StorageException.class, () -> lmcache.name(thief, name));
        assertTrue(refused.getMessage().contains("stand for long ones"), refused.getMessage());
    }

    @Test
    void theBucketOfALongNameIsThatOfItsShortForm() {
        Layout hicache = layout("layout = 'hicache'");
        String physical = name(hicache, hicache.parseKey("x".repeat(300)));
        String file = physical.substring(3);
        assertEquals(String.format("%02x", HicacheLayout.hash(file) & 0xff), physical.substring(0, 2));
        assertTrue(hicache.parseName(physical).isPresent());
    }

    @Test
    void withoutTheRuleTheyAreRefusedAndTheRuleIsNamed() {
        StorageException refused =
                assertThrows(StorageException.class, () -> new RawLayout().name(new RawKey("k".repeat(256)), name));
        assertTrue(refused.getMessage().contains("long_names = \"hash\""), refused.getMessage());
    }
}
