package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.NameForm;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LmcacheLayoutTest {
    private final LmcacheLayout file = new LmcacheLayout(NameForm.FILE, false);
    private final LmcacheLayout wire = new LmcacheLayout(NameForm.WIRE, false);
    private final LmcacheLayout sharded = new LmcacheLayout(NameForm.FILE, true);
    private final NameBuffer name = new NameBuffer();

    @ParameterizedTest
    @CsvSource({
        "/abs/path/model, -SEP-abs-SEP-path-SEP-model@0x100000001@0@00112233.data",
        "m_x y%z, m_x y%z@0x100000001@0@00112233.data",
        "a-/SEP-b, a--SEP-SEP-b@0x100000001@0@00112233.data",
        "/SEP/, -SEP-SEP-SEP-@0x100000001@0@00112233.data",
    })
    void unusualModelsHaveLmcachesNames(String model, String expected) {
        ObjectKey key = new ObjectKey(model, 0x100000001L, 0, "00112233");
        file.name(key, name);
        assertEquals(expected, name.toString());
        assertEquals(Optional.of(key), file.parseName(expected));
    }

    /** {@code -SEP/x} would get the name of {@code /SEP-x}. */
    @ParameterizedTest
    @ValueSource(strings = {"org-SEP-model", "-SEP/x", "x-SEP/", "-SEP-", "a/b-SEP-c"})
    void modelsThatWouldShareAFileAreRefusedAndHaveAWireName(String model) {
        ObjectKey key = new ObjectKey(model, 1, 0, "00112233");
        assertRefused(() -> file.name(key, name), "-SEP-");
        if (!model.startsWith("/") && !model.endsWith("/")) {
            wire.name(key, name);
            assertEquals(model + "@00000001@0@00112233", name.toString());
        }
    }

    /** P12: whatever is not refused is found again and never shared. */
    @Test
    void differentKeysNeverShareAFile() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] pieces = {"-", "SEP", "/", "-SEP", "SEP-", "a", "é", "_", "%2F", "--"};
        Map<String, ObjectKey> owners = new HashMap<>();
        int named = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder model = new StringBuilder();
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                model.append(pieces[random.nextInt(pieces.length)]);
            }
            ObjectKey key = new ObjectKey(model.toString(), 1, 0, "00112233");
            try {
                file.name(key, name);
            } catch (StorageException refused) {
                continue;
            }
            named++;
            String physical = name.toString();
            assertEquals(key, owners.computeIfAbsent(physical, p -> key), "seed " + seed);
            assertEquals(Optional.of(key), file.parseName(physical), "seed " + seed);
        }
        assertTrue(named > 10_000, "seed " + seed + " named only " + named);
    }

    /** P11: 29 bytes of the name are rank, group, hash and suffix. */
    @Test
    void partsUpTo255BytesPassAndLongerOnesAreRefusedWithTheirLength() {
        int rest = "@0x00000001@0@00112233.data".length();
        file.name(new ObjectKey("m".repeat(255 - rest), 1, 0, "00112233"), name);
        assertEquals(255, name.length());
        for (int length : new int[] {256, 300, 1000, 5000}) {
            ObjectKey key = new ObjectKey("m".repeat(length - rest), 1, 0, "00112233");
            assertRefused(() -> file.name(key, name), "part of " + length + " bytes");
        }
        ObjectKey accents = new ObjectKey("é".repeat(120), 1, 0, "00112233");
        assertRefused(() -> file.name(accents, name), "part of " + (240 + rest) + " bytes");
    }

    @Test
    void shardDirectoriesNeedTwoBytesOfHash() {
        file.name(new ObjectKey("m", 1, 16, "ab"), name);
        assertEquals("m@0x00000001@10@ab.data", name.toString());
        assertRefused(() -> sharded.name(new ObjectKey("m", 1, 16, "ab"), name), "chunk hash of at least 2 bytes");
        sharded.name(new ObjectKey("m", 1, 16, "abcd"), name);
        assertEquals("ab/cd/m@0x00000001@10@abcd.data", name.toString());
    }

    /** S04, for the wire form, where a model may hold slashes. */
    @ParameterizedTest
    @ValueSource(strings = {"../../x", "/abs", "a/../b", "./a", "a//b", ".nixlkv/x"})
    void modelsThatCouldLeaveTheStoreAreRefusedInWireForm(String model) {
        ObjectKey key = new ObjectKey(model, 1, 0, "00112233");
        assertRefused(() -> wire.name(key, name), "its name");
        file.name(key, name);
        assertTrue(name.toString().indexOf('/') < 0, name.toString());
    }

    @Test
    void unencodableKeysAreRefused() {
        assertRefused(() -> file.name(new ObjectKey("m\ud800x", 1, 0, "00"), name), "half of a surrogate pair");
        assertRefused(() -> file.name(new ObjectKey("m", 1, 0, "00", "\udc00"), name), "half of a surrogate pair");
        assertRefused(() -> file.name(new ObjectKey("m\nx", 1, 0, "00"), name), "control character");
        file.name(new ObjectKey("m😀", 1, 0, "00"), name);
        assertEquals("m😀@0x00000001@0@00.data", name.toString());
    }

    @Test
    void otherKeysAreRefused() {
        StorageException refused = assertThrows(StorageException.class, () -> file.name(new RawKey("x"), name));
        assertEquals(
                "layout lmcache refuses the key \"x\": it takes an object key (model@rank@group@hash[@salt]),"
                        + " not RawKey; use layout raw for plain names",
                refused.getMessage());
    }

    @Test
    void keysOfPeople() {
        assertEquals(
                new ObjectKey("org/model", 42, 7, "00112233", "tenant"),
                file.parseKey("org/model@0000002a@7@00112233@tenant"));
        assertEquals(new ObjectKey("org/model", 42, 7, "00112233"), file.parseKey("org/model@0x2a@7@00112233@"));
        assertRefused(() -> file.parseKey("org/model"), "model@rank@group@hash[@salt]");
        assertRefused(() -> file.parseKey("x-SEP-y@1@0@00112233"), "-SEP-");
        assertRefused(() -> sharded.parseKey("m@1@0@00"), "chunk hash");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b@c.data",
                "m@0x00000001@0@zz.data",
                "m@1@-1@00.data",
                "m@1@0@00@s@x.data",
                "m@1@0@00",
                "m@1@0@00.data.tmp.3",
                "obj_3_1a2b.bin",
                "d/m@1@0@00.data",
                "@1@0@00.data",
                ".data",
                ""
            })
    void otherNamesAreNotListed(String physicalName) {
        assertEquals(Optional.empty(), file.parseName(physicalName));
    }

    @Test
    void namesAreReadLeniently() {
        assertEquals(Optional.of(new ObjectKey("m", 1, 0, "00")), file.parseName("m@00000001@0@00.data"));
        assertEquals(Optional.of(new ObjectKey("m", 1, 0, "00")), file.parseName("m@0x1@0@00@.data"));
        assertEquals(Optional.empty(), sharded.parseName("00/12/m@0x00000001@0@0011.data"), "not its shard");
        assertEquals(
                Optional.of(new ObjectKey("m", 1, 0, "0011")), sharded.parseName("00/11/m@0x00000001@0@0011.data"));
    }

    private static void assertRefused(Runnable call, String part) {
        StorageException refused = assertThrows(StorageException.class, call::run);
        assertEquals(Status.INVALID, refused.status());
        assertTrue(refused.getMessage().startsWith("layout lmcache refuses the key "), refused.getMessage());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
}
