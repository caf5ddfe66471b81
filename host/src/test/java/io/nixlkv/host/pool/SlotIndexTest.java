package io.nixlkv.host.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SlotIndexTest {
    private static final int HEADER = 4096;
    private static final int RECORD = 320;

    @TempDir
    Path state;

    private SlotIndex open(int slots) {
        return open(slots, true);
    }

    private SlotIndex open(int slots, boolean evicts) {
        return SlotIndex.open(state, new PoolShape(slots, 1000, 1), false, false, evicts);
    }

    private static int put(SlotIndex index, String name, int length) {
        int slot = index.claim();
        if (slot != SlotIndex.NONE) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            assertEquals(
                    Status.DONE,
                    index.publish(slot, index.digest(bytes, bytes.length), bytes, bytes.length, length, Mode.REPLACE));
            index.unpin(slot);
        }
        return slot;
    }

    private static int length(SlotIndex index, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return index.length(index.digest(bytes, bytes.length), bytes, bytes.length);
    }

    private static int pinned(SlotIndex index, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return index.pinned(index.digest(bytes, bytes.length), bytes, bytes.length);
    }

    private static boolean delete(SlotIndex index, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return index.delete(index.digest(bytes, bytes.length), bytes, bytes.length);
    }

    private static Map<String, Integer> contents(SlotIndex index) {
        Map<String, Integer> found = new TreeMap<>();
        index.forEach("", (name, length, lastUse) -> found.put(name, length) == null);
        return found;
    }

    @Test
    void findsItsContentsAgain() {
        try (SlotIndex index = open(4)) {
            put(index, "a", 10);
            put(index, "b", 20);
            put(index, "c", 30);
            put(index, "b", 21);
            assertTrue(delete(index, "c"));
            assertFalse(delete(index, "c"));
            assertEquals(2, index.use().used());
        }
        try (SlotIndex index = open(4)) {
            assertEquals(Map.of("a", 10, "b", 21), contents(index));
            assertEquals(new SlotUse(2, 4, 0, 0, 2), index.use());
            assertEquals(10, length(index, "a"));
            assertEquals(SlotIndex.NONE, length(index, "c"));
        }
    }

    @Test
    void aFullPoolDropsWhatWasNotUsedForLongest() {
        try (SlotIndex index = open(3)) {
            put(index, "a", 1);
            put(index, "b", 2);
            put(index, "c", 3);
            length(index, "a");
            int pinned = pinned(index, "b");
            put(index, "d", 4);
            assertEquals(Map.of("a", 1, "b", 2, "d", 4), contents(index), "c is the oldest that nobody reads");
            index.unpin(pinned);
            put(index, "e", 5);
            assertEquals(Map.of("b", 2, "d", 4, "e", 5), contents(index));
            assertEquals(2, index.use().evicted());
        }
    }

    @Test
    void aPoolThatRefusesKeepsWhatItHas() {
        try (SlotIndex index = open(2, false)) {
            put(index, "a", 1);
            put(index, "b", 2);
            assertEquals(SlotIndex.NONE, put(index, "c", 3));
            assertTrue(delete(index, "a"));
            assertNotEquals(SlotIndex.NONE, put(index, "c", 3));
            assertEquals(Map.of("b", 2, "c", 3), contents(index));
        }
    }

    @Test
    void aSlotThatIsReadIsNotReusedEvenWhenItsKeyGoes() {
        try (SlotIndex index = open(1)) {
            put(index, "a", 1);
            int slot = pinned(index, "a");
            long generation = index.generation(slot);
            assertTrue(delete(index, "a"));
            assertEquals(1, index.use().used(), "still read");
            assertEquals(SlotIndex.NONE, index.claim());
            assertEquals(generation, index.generation(slot));
            index.unpin(slot);
            assertEquals(0, index.use().used());
            assertEquals(slot, put(index, "b", 2));
            assertTrue(index.generation(slot) > generation);
        }
    }

    @Test
    void anAbandonedSlotIsFreeWhenTheLastOneLetsGo() {
        try (SlotIndex index = open(1)) {
            int slot = index.claim();
            index.pin(slot);
            index.abandon(slot);
            index.unpin(slot);
            assertEquals(SlotIndex.NONE, index.claim());
            index.unpin(slot);
            assertEquals(slot, index.claim());
        }
    }

    @Test
    void modeCreateLeavesWhatIsThere() {
        try (SlotIndex index = open(3)) {
            put(index, "a", 10);
            byte[] name = {'a'};
            int same = index.claim();
            assertEquals(Status.ALREADY_PRESENT, index.publish(same, index.digest(name, 1), name, 1, 10, Mode.CREATE));
            int other = index.claim();
            assertEquals(Status.WRONG_SIZE, index.publish(other, index.digest(name, 1), name, 1, 11, Mode.CREATE));
            index.unpin(same);
            index.unpin(other);
            assertEquals(1, index.use().used());
        }
    }

    @Test
    void theOrderOfUseSurvives() throws IOException {
        try (SlotIndex index = open(3)) {
            put(index, "a", 1);
            put(index, "b", 2);
            put(index, "c", 3);
        }
        // Uses hours apart: b, then c, then a.
        lastUse(0, 9_000_000_000_000L);
        lastUse(1, 3_000_000_000_000L);
        lastUse(2, 5_000_000_000_000L);
        try (SlotIndex index = open(3)) {
            put(index, "d", 4);
            assertEquals(Map.of("a", 1, "c", 3, "d", 4), contents(index));
            put(index, "e", 5);
            assertEquals(Map.of("a", 1, "d", 4, "e", 5), contents(index));
        }
    }

    private void lastUse(int slot, long millis) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(state.resolve("pool.index").toFile(), "rw")) {
            file.seek(HEADER + (long) slot * RECORD + 24);
            file.writeLong(Long.reverseBytes(millis));
        }
    }

    @Test
    void damagedAndHalfWrittenRecordsAreDropped() throws IOException {
        try (SlotIndex index = open(4)) {
            put(index, "a", 1);
            put(index, "b", 2);
            put(index, "c", 3);
            index.claim();
        }
        byte[] bytes = Files.readAllBytes(state.resolve("pool.index"));
        bytes[HEADER + RECORD + 20] ^= 4;
        bytes[HEADER + 2 * RECORD + 40] ^= 1;
        Files.write(state.resolve("pool.index"), bytes);
        try (SlotIndex index = open(4)) {
            assertEquals(Map.of("a", 1), contents(index));
            assertEquals(2, index.use().damaged());
            assertEquals(1, index.use().used());
        }
    }

    @Test
    void ofTwoSlotsWithOneKeyTheNewerStays() throws IOException {
        byte[] before;
        try (SlotIndex index = open(2)) {
            put(index, "a", 1);
            before = Files.readAllBytes(state.resolve("pool.index"));
            put(index, "a", 2);
        }
        // As if the process had been killed after the second record was committed, before the first was let go.
        byte[] after = Files.readAllBytes(state.resolve("pool.index"));
        System.arraycopy(before, HEADER, after, HEADER, RECORD);
        Files.write(state.resolve("pool.index"), after);
        try (SlotIndex index = open(2)) {
            assertEquals(Map.of("a", 2), contents(index));
            assertEquals(1, index.use().used());
        }
    }

    @Test
    void aRestartOfTheMachineEmptiesWhatWasNotDurable() throws IOException {
        try (SlotIndex index = open(2)) {
            put(index, "a", 1);
        }
        otherBoot();
        try (SlotIndex index = open(2)) {
            assertEquals(Map.of(), contents(index));
            assertEquals(0, index.use().used());
        }
        Path durable = state.resolve("durable");
        PoolShape shape = new PoolShape(2, 1000, 1);
        try (SlotIndex index = SlotIndex.open(durable, shape, true, false, true)) {
            put(index, "a", 1);
        }
        otherBoot(durable);
        try (SlotIndex index = SlotIndex.open(durable, shape, true, false, true)) {
            assertEquals(Map.of("a", 1), contents(index));
        }
    }

    private void otherBoot() throws IOException {
        otherBoot(state);
    }

    private static void otherBoot(Path state) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(state.resolve("pool.index").toFile(), "rw")) {
            file.seek(40);
            file.writeLong(42);
        }
    }

    @Test
    void aSecondOwnerIsRefusedAndTheFirstStaysTheOwner() {
        try (SlotIndex first = open(2)) {
            for (int i = 0; i < 3; i++) {
                StorageException refused = assertThrows(StorageException.class, () -> open(2));
                assertEquals(Status.UNAVAILABLE, refused.status());
                assertTrue(refused.getMessage().contains("is in use by this process"), refused.getMessage());
            }
            put(first, "a", 1);
        }
        open(2).close();
    }

    @Test
    void anotherShapeIsRefused() {
        open(2).close();
        StorageException refused = assertThrows(StorageException.class, () -> open(3));
        assertEquals(Status.INVALID, refused.status());
        assertTrue(
                refused.getMessage()
                        .contains(
                                "was made for (pool_size, slot_bytes, directories) = (2, 1000, 1), wanted are (3, 1000, 1)"),
                refused.getMessage());
        open(2).close();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aMillionSlotsAreBackInSeconds() {
        int slots = 1_000_000;
        try (SlotIndex index = open(slots)) {
            for (int i = 0; i < slots; i++) {
                put(index, String.format("org/model-SEP-00000001@0000002a@%064x.data", i), 1000);
            }
        }
        long start = System.nanoTime();
        try (SlotIndex index = open(slots)) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            System.out.println("recovery of " + slots + " slots: " + millis + " ms");
            assertEquals(slots, index.use().recovered());
            assertTrue(millis < 5000, millis + " ms");
        }
    }

    @Test
    void anIndexThatDoesNotFitIsRefusedBeforeAnythingIsWritten() throws IOException {
        Mounts mounts = new Mounts();
        mounts.mount(state, "-t", "tmpfs", "-o", "size=1m", "none");
        try {
            StorageException refused = assertThrows(StorageException.class, () -> open(4000));
            assertEquals(Status.NO_SPACE, refused.status());
            assertTrue(refused.getMessage().contains("1284096 bytes for pool_size = 4000"), refused.getMessage());
            assertFalse(Files.exists(state.resolve("pool.index.new")));
        } finally {
            mounts.unmountAll();
        }
    }
}
