package io.nixlkv.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchPayloadTest {
    @Test
    void everyByteCounts() {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        BenchPayload.fill(buffer, 7);
        assertTrue(BenchPayload.holds(buffer, 7));
        for (int at = 0; at < buffer.limit(); at++) {
            buffer.put(at, (byte) ~buffer.get(at));
            assertFalse(BenchPayload.holds(buffer, 7), "byte " + at);
            buffer.put(at, (byte) ~buffer.get(at));
        }
    }

    @Test
    void noTwoObjectsShareAWord() {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        Set<Long> words = new HashSet<>();
        for (long object = 0; object < 50; object++) {
            BenchPayload.fill(buffer, object);
            for (int at = 0; at < buffer.limit(); at += 8) {
                words.add(buffer.getLong(at));
            }
        }
        assertEquals(50 * (1 << 13), words.size());
        BenchPayload.clear(buffer);
        assertFalse(BenchPayload.holds(buffer, 49));
    }
}
