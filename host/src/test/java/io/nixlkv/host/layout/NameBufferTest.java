package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameBufferTest {

    @Test
    void utf8EqualsTheLibrarysForEveryCharacter() {
        NameBuffer buffer = new NameBuffer();
        StringBuilder all = new StringBuilder();
        for (int point = 1; point <= Character.MAX_CODE_POINT; point += point < 0x3000 ? 1 : 37) {
            if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
                all.appendCodePoint(point);
            }
        }
        buffer.utf8(all.toString());
        assertArrayEquals(all.toString().getBytes(StandardCharsets.UTF_8), buffer.toByteArray());
        assertEquals(all.toString(), buffer.toString());
    }

    @Test
    void hexEqualsTheLibrarysAndPads() {
        Random random = new Random(7);
        NameBuffer buffer = new NameBuffer();
        for (int i = 0; i < 1000; i++) {
            long number = random.nextLong() >>> 1 + random.nextInt(63);
            assertEquals(Long.toHexString(number), buffer.clear().hex(number, 1).toString());
            assertEquals(
                    String.format("%08x", number), buffer.clear().hex(number, 8).toString());
        }
        assertEquals("00000000", buffer.clear().hex(0, 8).toString());
        assertEquals("0".repeat(19) + "f", buffer.clear().hex(15, 20).toString());
        assertEquals(
                "ab-c",
                buffer.clear().ascii("ab").ascii('-').ascii("abcd", 2, 3).toString());
    }
}
