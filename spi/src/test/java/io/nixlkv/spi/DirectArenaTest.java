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
