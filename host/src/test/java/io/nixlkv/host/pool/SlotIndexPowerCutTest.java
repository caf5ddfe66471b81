package io.nixlkv.host.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a durable index has after a power cut: the device below its mounted file system is copied, and the copy mounted and opened.
 * The system writes pages in any order; those of the first and the last slots are so far apart that it does not take them for one.
 */
class SlotIndexPowerCutTest {
    private static final PoolShape SHAPE = new PoolShape(20_000, 1000, 1);
    private static final int FAR = 16_000;

    @TempDir
    Path work;

    private LoopDisk disk;
    private Path state;

    @BeforeEach
    void makeDisk() throws IOException {
        disk = LoopDisk.make(work);
        state = disk.folder().resolve("state");
    }

    @AfterEach
    void unmount() {
        if (disk != null) {
            disk.close();
        }
    }

    private static SlotIndex open(Path folder, boolean durable) {
        return SlotIndex.open(folder, SHAPE, durable, false, true);
    }

    /** The next claim is of a slot whose record is far from the header and from those of the first slots. */
    private static void goFar(SlotIndex index) {
        for (int slot = index.claim(); slot < FAR; ) {
            slot = index.claim();
        }
    }

    private static int published(SlotIndex index, String name, int length) {
        int slot = index.claim();
        index.force(new int[] {slot}, 1);
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        assertEquals(
                Status.DONE,
                index.publish(slot, index.digest(bytes, bytes.length), bytes, bytes.length, length, Mode.REPLACE));
        return slot;
    }

    private static int put(SlotIndex index, String name, int length) {
        int slot = published(index, name, length);
        settle(index, slot);
        return slot;
    }

    private static void settle(SlotIndex index, int slot) {
        index.secure(new int[] {slot}, 1);
        index.unpin(slot);
    }

    private static void delete(SlotIndex index, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        assertTrue(index.delete(index.digest(bytes, bytes.length), bytes, bytes.length));
    }

    private record Found(UUID pool, Map<String, Integer> contents) {}

    /** What is found after a power cut now. */
    private Found cut() throws IOException {
        try (LoopDisk after = disk.afterPowerCut()) {
            Path folder = after.folder().resolve("state");
            otherBoot(folder);
            letGo(folder);
            try (SlotIndex index = open(folder, true)) {
                Map<String, Integer> contents = new TreeMap<>();
                index.forEach("", (name, length, lastUse) -> contents.put(name, length) == null);
                assertEquals(contents.size(), index.use().used());
                return new Found(index.pool(), contents);
            }
        }
    }

    /** The claim of a process that the power cut ended: of this one, here. */
    private static void letGo(Path folder) throws IOException {
        try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder, "*.claim")) {
            for (Path claim : claims) {
                Files.delete(claim);
            }
        }
    }

    private static void otherBoot(Path folder) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("pool.index").toFile(), "rw")) {
            file.seek(40);
            file.writeLong(42);
        }
    }

    @Test
    void theContentsOfAnotherPoolStayForgotten() throws IOException {
        try (SlotIndex index = open(state, true)) {
            UUID before = index.pool();
            goFar(index);
            put(index, "a", 1);
            put(index, "b", 2);
            assertEquals(new Found(before, Map.of("a", 1, "b", 2)), cut());
            index.reset();
            assertNotEquals(before, index.pool());
            assertEquals(new Found(index.pool(), Map.of()), cut());
        }
    }

    @Test
    void whatARestartDroppedStaysForgottenWhenThePoolBecomesDurable() throws IOException {
        try (SlotIndex index = open(state, false)) {
            goFar(index);
            int slot = put(index, "a", 1);
            index.force(new int[] {slot}, 1);
        }
        otherBoot(state);
        try (SlotIndex index = open(state, true)) {
            assertEquals(Map.of(), cut().contents());
            put(index, "b", 2);
            assertEquals(Map.of("b", 2), cut().contents());
        }
    }

    @Test
    void oneOfOldAndNewSurvivesWhicheverPageIsWrittenFirst() throws IOException {
        try (SlotIndex index = open(state, true)) {
            int old = put(index, "k", 1);
            goFar(index);
            int slot = published(index, "k", 2);
            index.force(new int[] {old}, 1);
            assertEquals(Map.of("k", 1), cut().contents(), "only the old page was written");
            index.force(new int[] {slot}, 1);
            assertEquals(Map.of("k", 2), cut().contents(), "both were written, and the older one goes");
            settle(index, slot);
            assertEquals(Map.of("k", 2), cut().contents());
            delete(index, "k");
            assertEquals(Map.of(), cut().contents(), "neither is back");
        }
    }

    @Test
    void aDeletionDuringAReplacementIsOneOfBoth() throws IOException {
        try (SlotIndex index = open(state, true)) {
            put(index, "k", 1);
            goFar(index);
            int others = index.use().used() - 1;
            int second = published(index, "k", 2);
            int third = published(index, "k", 3);
            index.secure(new int[] {second}, 1);
            delete(index, "k");
            assertEquals(Map.of(), cut().contents());
            index.unpin(second);
            settle(index, third);
            assertEquals(Map.of(), cut().contents());
            assertEquals(others, index.use().used());
        }
    }
}
