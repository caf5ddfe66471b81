package io.nixlkv.host.presence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigestTableTest {
    private record Key(long high, long low) {}

    @Test
    void behavesAsAMapWhateverIsPutAndRemoved() {
        Random random = new Random(7);
        DigestTable table = new DigestTable();
        Map<Key, Integer> model = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            // Few high words: long runs of neighbours, which removal must keep together.
            Key key = new Key((long) random.nextInt(300) << 48, random.nextInt(8));
            if (random.nextInt(3) == 0) {
                Integer before = model.remove(key);
                assertEquals(before == null ? DigestTable.NONE : before, table.remove(key.high, key.low));
            } else {
                Integer before = model.put(key, step);
                assertEquals(before == null ? DigestTable.NONE : before, table.put(key.high, key.low, step));
            }
            assertEquals(model.size(), table.size());
        }
        model.forEach((key, value) -> assertEquals(value, table.get(key.high, key.low)));
        assertEquals(DigestTable.NONE, table.get(0, 99));
        table.put(0, 0, 5);
        assertEquals(5, table.get(0, 0));
        assertThrows(IllegalArgumentException.class, () -> table.put(1, 1, -1));
        table.clear();
        assertEquals(DigestTable.NONE, table.get(0, 0));
    }

    @Test
    void aKeyTakesLessThanFortyBytesAtEverySize() {
        PresenceCache cache = new PresenceCache(1L << 30);
        Digester digester = new Digester();
        byte[] name = new byte[100];
        double worst = 0;
        for (int i = 0; i < 1_000_000; i++) {
            for (int at = 0; at < 4; at++) {
                name[at] = (byte) (i >> 8 * at);
            }
            cache.add(digester.of(name, 0, name.length), 1000);
            if (i > 100_000 && i % 1000 == 0) {
                worst = Math.max(worst, (double) cache.bytes() / cache.size());
            }
        }
        assertEquals(1_000_000, cache.size());
        System.out.printf(
                "presence cache: %.1f bytes a key at 1 000 000 keys, %.1f at worst%n", cache.bytes() / 1e6, worst);
        assertTrue(worst < 40, "at worst " + worst);
    }

    @Test
    void readersBesideAGrowingAndShrinkingCacheAlwaysFindWhatStays() throws InterruptedException {
        PresenceCache cache = new PresenceCache(1L << 26);
        Digester digester = new Digester();
        HashValue128[] staying = new HashValue128[500];
        for (int i = 0; i < staying.length; i++) {
            staying[i] = digester.of(new byte[] {1, (byte) i, (byte) (i >> 8)}, 0, 3);
            cache.add(staying[i], i);
        }
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 300_000; i++) {
                HashValue128 name = digester.of(new byte[] {2, (byte) i, (byte) (i >> 8), (byte) (i >> 16)}, 0, 4);
                cache.add(name, 1);
                if (i % 3 != 0) {
                    cache.remove(name);
                }
            }
        });
        writer.start();
        do {
            for (int i = 0; i < staying.length; i++) {
                assertEquals(i, cache.length(staying[i]));
            }
        } while (writer.isAlive());
        writer.join();
        assertEquals(staying.length + 100_000, cache.size());
    }

    @Test
    void aFullCacheForgoesNewNamesAndKeepsTheOldOnes() {
        PresenceCache cache = new PresenceCache(64 * 40);
        Digester digester = new Digester();
        HashValue128 first = digester.of(new byte[] {1}, 0, 1);
        cache.add(first, 7);
        for (int i = 0; i < 1000; i++) {
            cache.add(digester.of(new byte[] {2, (byte) i, (byte) (i >> 8)}, 0, 3), 8);
        }
        assertEquals(64, cache.size());
        assertEquals(1001 - 64, cache.forgone());
        cache.add(first, 9);
        assertEquals(9, cache.length(first));
        cache.remove(first);
        assertEquals(PresenceCache.UNKNOWN, cache.length(first));
    }
}
