package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.nativeio.NativeMemory.OutOfMemoryException;
import io.nixlkv.nativeio.NativeMemory.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

@NeedsNatives
class NativeMemoryTest {
    @Test
    void isAlignedZeroedAndWhole() {
        try (NativeMemory memory = new NativeMemory(10_000, Pages.ORDINARY)) {
            assertEquals(1, memory.segments());
            assertEquals(12_288, memory.segment(0).capacity());
            assertEquals(0, memory.address(0) % (2 << 20));
            assertEquals(memory.address(0), NativeIo.address(memory.segment(0)));
            assertEquals(memory.address(0), NativeIo.address(memory.segment(0).duplicate()));
            for (int at = 0; at < 12_288; at++) {
                assertEquals(0, memory.segment(0).get(at));
            }
            memory.segment(0).put(12_287, (byte) 7);
            assertEquals(7, memory.segment(0).get(12_287));
        }
    }

    @Test
    void isCutIntoSegmentsOfOneGigabyte() {
        try (NativeMemory memory = new NativeMemory((2L << 30) + 4096, Pages.ORDINARY)) {
            assertEquals(3, memory.segments());
            assertEquals(1 << 30, memory.segment(1).capacity());
            assertEquals(4096, memory.segment(2).capacity());
        }
    }

    @Test
    void closingTwiceIsHarmless() {
        NativeMemory memory = new NativeMemory(4096, Pages.ORDINARY);
        memory.close();
        memory.close();
    }

    @Test
    void anImpossibleSizeIsExplained() {
        OutOfMemoryException refused =
                assertThrows(OutOfMemoryException.class, () -> new NativeMemory(1L << 46, Pages.ORDINARY));
        assertTrue(refused.getMessage().contains("arena_gb"), refused.getMessage());
    }

    @Test
    void missingHugePagesAreExplained() throws IOException {
        Assumptions.assumeTrue(
                Files.readAllLines(Path.of("/proc/meminfo")).stream()
                        .anyMatch(line -> line.matches("HugePages_Free: +0")),
                "huge pages are set aside here");
        OutOfMemoryException refused =
                assertThrows(OutOfMemoryException.class, () -> new NativeMemory(5 << 20, Pages.HUGE));
        assertTrue(refused.getMessage().contains("3 free pages of 2 MiB"), refused.getMessage());
        assertTrue(refused.getMessage().contains("vm.nr_hugepages"), refused.getMessage());
    }
}
