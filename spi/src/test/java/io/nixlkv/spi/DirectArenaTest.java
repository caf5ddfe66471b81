package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectArenaTest {
    @ParameterizedTest
    @CsvSource({"1, 4096", "4096, 4096", "4097, 8192", "1048576, 1048576"})
    void segmentsAreAlignedAndRounded(long asked, int size) {
        DirectArena arena = new DirectArena(asked);
        assertEquals(1, arena.segments());
        ByteBuffer segment = arena.segment(0);
        assertTrue(segment.isDirect());
        assertEquals(size, segment.capacity());
        assertEquals(0, segment.alignmentOffset(0, 4096));
        assertEquals(0, arena.address(0));
    }

    @Test
    void copiesAreThoseOfAnyArena() {
        DirectArena arena = new DirectArena(8192);
        assertEquals(Segment.DRAM_SEG, arena.kind());
        assertEquals(8192, arena.bytes(0));
        ByteBuffer from = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5}).position(2);
        arena.copyIn(0, 100, from);
        assertEquals(6, from.position());
        arena.copyWithin(0, 100, 0, 5000, 3);
        arena.clear(0, 101, 2);
        ByteBuffer into = ByteBuffer.allocate(4);
        arena.copyOut(0, 100, into);
        assertEquals(ByteBuffer.wrap(new byte[] {2, 0, 0, 5}), into.flip());
        arena.copyOut(0, 5000, into.clear());
        assertEquals(ByteBuffer.wrap(new byte[] {2, 3, 4, 0}), into.flip());
        assertThrows(IndexOutOfBoundsException.class, () -> arena.copyOut(0, 8190, into.clear()));
    }

    /** In a JVM of its own, since only a small limit is reached without taking the machine's memory. */
    @Test
    void anArenaBeyondTheDirectMemoryLimitIsRefusedWithAWayOut() throws Exception {
        Process small = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:MaxDirectMemorySize=16m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TooLarge.class.getName())
                .start();
        String printed = new String(small.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(small.waitFor(30, TimeUnit.SECONDS));
        assertTrue(printed.startsWith("NO_SPACE arena of 67108864 bytes"), printed);
        assertTrue(printed.contains("-XX:MaxDirectMemorySize"), printed);
    }

    /** Asks for more than its JVM gives. */
    static final class TooLarge {
        public static void main(String[] arguments) {
            try {
                new DirectArena(64 << 20);
            } catch (StorageException refused) {
                System.out.println(refused.status() + " " + refused.getMessage());
            }
        }
    }

    @Test
    void anArenaHasAtLeastOneByte() {
        assertThrows(IllegalArgumentException.class, () -> new DirectArena(0));
        assertThrows(IllegalArgumentException.class, () -> new DirectArena(-1));
    }
}
