package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawLayoutTest {
    private final RawLayout raw = new RawLayout();
    private final NameBuffer name = new NameBuffer();

    /** P12 and the harmless ones of S04: five spellings, five names. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org/model/x",
                "org-SEP-model-SEP-x",
                "org_model_x",
                "org%2Fmodel%2Fx",
                "ORG/model/x",
                "..%2f..%2fx",
                "~/x",
                "CON",
                "...",
                ".hidden",
                ".nixlkv2/x",
                "a/.nixlkv",
                "客户/é😀"
            })
    void theNameIsTheKey(String text) {
        raw.name(new RawKey(text), name);
        assertEquals(text, name.toString());
        assertEquals(new RawKey(text), raw.parseKey(text));
        assertEquals(Optional.of(new RawKey(text)), raw.parseName(text));
    }

    static List<Arguments> refused() {
        return List.of(
                Arguments.of("", "is empty"),
                Arguments.of("../../etc/x", "the part \"..\""),
                Arguments.of("/etc/x", "starts with \"/\""),
                Arguments.of("a/../../x", "the part \"..\""),
                Arguments.of("a/./x", "the part \".\""),
                Arguments.of("..", "the part \"..\""),
                Arguments.of(".", "the part \".\""),
                Arguments.of("a/", "ends with \"/\""),
                Arguments.of("/", "starts with \"/\""),
                Arguments.of("a//b", "empty part"),
                Arguments.of("a\0b", "control character at byte 2"),
                Arguments.of("ab\nc", "control character at byte 3"),
                Arguments.of("a\u007f", "control character at byte 2"),
                Arguments.of("é\u0085", "control character at byte 3"),
                Arguments.of(".nixlkv", ".nixlkv"),
                Arguments.of(".nixlkv/tmp/x", ".nixlkv"),
                Arguments.of("x".repeat(256), "part of 256 bytes"),
                Arguments.of("d/" + "é".repeat(128) + "/x", "part of 256 bytes"),
                Arguments.of("x".repeat(5000), "part of 5000 bytes"),
                Arguments.of("a\ud83d", "half of a surrogate pair"),
                Arguments.of("\ude00a", "half of a surrogate pair"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusedNamesSayWhichRuleTheyBreak(String text, String rule) {
        for (Runnable call : List.<Runnable>of(() -> raw.name(new RawKey(text), name), () -> raw.parseKey(text))) {
            StorageException refused = assertThrows(StorageException.class, call::run);
            assertEquals(Status.INVALID, refused.status());
            assertTrue(refused.getMessage().startsWith("layout raw refuses the key \""), refused.getMessage());
            assertTrue(refused.getMessage().contains(rule), refused.getMessage());
            assertTrue(refused.getMessage().chars().noneMatch(Character::isISOControl), refused.getMessage());
            assertTrue(refused.getMessage().length() < 400, "a message for people");
        }
        assertEquals(Optional.empty(), raw.parseName(text));
    }

    @Test
    void longPartsUpTo255BytesAndLongNamesPass() {
        String longest = "x".repeat(255) + "/" + "é".repeat(127) + "/y";
        raw.name(new RawKey(longest), name);
        assertEquals(longest, name.toString());
        String deep = "d/".repeat(2000) + "x";
        raw.name(new RawKey(deep), name);
        assertEquals(4001, name.length());
    }

    @Test
    void objectKeysAreRefused() {
        StorageException refused =
                assertThrows(StorageException.class, () -> raw.name(new ObjectKey("m", 1, 0, "00"), name));
        assertTrue(refused.getMessage().contains("not ObjectKey"), refused.getMessage());
    }
}
