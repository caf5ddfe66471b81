package io.nixlkv.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BenchPayloadTest {
    private static ByteBuffer object(int bytes, long number) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        BenchPayload.fill(buffer);
        BenchPayload.stamp(buffer, number);
        return buffer;
    }

    @Test
    void everyByteCounts() {
        ByteBuffer buffer = object(4096, 7);
        assertTrue(BenchPayload.holds(buffer, 7));
        for (int at = 0; at < buffer.limit(); at++) {
            buffer.put(at, (byte) ~buffer.get(at));
            assertFalse(BenchPayload.holds(buffer, 7), "byte " + at);
            buffer.put(at, (byte) ~buffer.get(at));
        }
    }

    @Test
    void noTwoSectorsBeginAlikeAndNoTwoPlacesOfAnObjectShareAWord() {
        Set<Long> first = new HashSet<>();
        Set<Long> words = new HashSet<>();
        for (long number = 0; number < 50; number++) {
            ByteBuffer buffer = object(1 << 16, number);
            for (int at = 0; at < buffer.limit(); at += 512) {
                first.add(buffer.getLong(at));
            }
            for (int at = 0; at < buffer.limit(); at += 8) {
                words.add(buffer.getLong(at));
            }
        }
        assertEquals(50 * 128, first.size());
        assertEquals(50 * 128 + (1 << 13) - 128, words.size());
    }

    @Test
    void aSectorOfAnotherObjectOrRoundIsNoticed() {
        ByteBuffer buffer = object(1 << 16, 3);
        ByteBuffer other = object(1 << 16, 131);
        for (int sector = 0; sector < buffer.limit(); sector += 512) {
            ByteBuffer mixed = ByteBuffer.allocate(1 << 16).put(buffer.duplicate());
            mixed.put(sector, other, sector, 512);
            assertFalse(BenchPayload.holds(mixed, 3), "sector at " + sector);
        }
    }

    @Test
    void anObjectIsMadeAnotherByItsStampAlone() {
        ByteBuffer buffer = object(4096, 1);
        BenchPayload.stamp(buffer, 2);
        assertTrue(BenchPayload.holds(buffer, 2));
        assertFalse(BenchPayload.holds(buffer, 1));
        BenchPayload.clear(buffer);
        assertFalse(BenchPayload.holds(buffer, 2));
    }
}
