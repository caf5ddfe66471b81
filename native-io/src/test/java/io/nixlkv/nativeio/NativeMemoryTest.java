package io.nixlkv.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NativeMemory.OutOfMemoryException;
import io.nixlkv.nativeio.NativeMemory.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void isMadeOfHugePagesThatAreSetAside() throws IOException {
        try (ReservedPages reserved = new ReservedPages(2);
                NativeMemory memory = new NativeMemory(3 << 20, Pages.HUGE)) {
            assertEquals(4 << 20, memory.segment(0).capacity());
            assertEquals(0, memory.address(0) % (2 << 20));
            assertEquals(2048, reserved.pageKilobytes(memory.address(0)));
            for (int at = 0; at < 4 << 20; at += 1 << 10) {
                assertEquals(0, memory.segment(0).get(at));
            }
            memory.segment(0).put((4 << 20) - 1, (byte) 7);
            assertEquals(7, memory.segment(0).get((4 << 20) - 1));
        }
    }

    @Test
    void missingHugePagesAreExplained() throws IOException {
        HugePagePool pool = HugePagePool.ofSystem().orElse(null);
        assumeTrue(pool != null && pool.available() < 1000, "2 GiB of huge pages are set aside here");
        OutOfMemoryException refused =
                assertThrows(OutOfMemoryException.class, () -> new NativeMemory(2001L << 20, Pages.HUGE));
        String command = "sysctl -w vm.nr_hugepages=" + (pool.total() + 1001 - pool.available());
        assertTrue(
                refused.getMessage().contains("needs 1001 pages of 2 MiB, only " + pool.available() + " are free"),
                refused.getMessage());
        assertTrue(refused.getMessage().contains(command), refused.getMessage());
    }

    @Test
    void aFolderWithoutPagesOfThatSizeIsNoPool(@TempDir Path folder) throws IOException {
        assertEquals(Optional.empty(), HugePagePool.read(folder));
        Files.writeString(folder.resolve("nr_hugepages"), "8\n");
        Files.writeString(folder.resolve("free_hugepages"), "6\n");
        Files.writeString(folder.resolve("resv_hugepages"), "1\n");
        HugePagePool pool = HugePagePool.read(folder).orElseThrow();
        assertEquals(new HugePagePool(8, 5), pool);
        assertTrue(pool.advice(7).contains("vm.nr_hugepages=10"), pool.advice(7));
        assertTrue(pool.advice(5).contains("control group"), pool.advice(5));
    }
}
