package io.nixlkv.host.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
 * Slots 0 and 20 have their records in different pages, which the system may write in any order.
 */
class SlotIndexPowerCutTest {
    private static final PoolShape SHAPE = new PoolShape(40, 1000, 1);

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
            int old = putInFirstPage(index);
            int slot = published(index, "k", 2);
            try (RandomAccessFile file =
                    new RandomAccessFile(state.resolve("pool.index").toFile(), "r")) {
                file.seek(4096 + 320L * old + 4);
                assertEquals(0x44494c56, Integer.reverseBytes(file.readInt()), "valid until the new one is forced");
            }
            index.force(new int[] {old}, 1);
            assertNotNull(cut().contents().get("k"), "old or new");
            index.force(new int[] {slot}, 1);
            assertEquals(2, cut().contents().get("k"), "both were written, and the older one goes");
            settle(index, slot);
            assertEquals(2, cut().contents().get("k"));
            delete(index, "k");
            assertEquals(19, cut().contents().size(), "neither is back");
            assertEquals(19, index.use().used());
        }
    }

    /** Key {@code k} in slot 0, and others in the rest of its page, so that the next claim is of another page. */
    private static int putInFirstPage(SlotIndex index) {
        int slot = put(index, "k", 1);
        for (int i = 1; i < 20; i++) {
            put(index, "other" + i, 1);
        }
        assertEquals(0, slot);
        return slot;
    }

    @Test
    void aDeletionDuringAReplacementIsOneOfBoth() throws IOException {
        try (SlotIndex index = open(state, true)) {
            putInFirstPage(index);
            int second = published(index, "k", 2);
            int third = published(index, "k", 3);
            index.secure(new int[] {second}, 1);
            delete(index, "k");
            assertEquals(19, cut().contents().size());
            index.unpin(second);
            settle(index, third);
            assertEquals(19, cut().contents().size());
            assertEquals(19, index.use().used());
        }
    }
}
