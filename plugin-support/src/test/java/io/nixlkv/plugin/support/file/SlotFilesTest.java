package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools with a file for each slot. */
@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio"})
class SlotFilesTest {
    private static final int BYTES = 8192;
    private static final int SLOTS = 4;

    @Parameter
    private String engine;

    @TempDir
    Path root;

    private static SlotPool pool(Opened store) {
        return store.backend.openPool("kv", SLOTS, BYTES, PoolLayout.FILES);
    }

    private Path file(int slot) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(".nixlkv/pools/kv.files"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("obj_" + slot + "_"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void write(Opened store, SlotPool pool, int slot, int seed) {
        store.fill(BYTES, seed);
        assertEquals(Status.DONE, store.slot(Op.WRITE, pool, slot, BYTES), store::sentence);
    }

    private static void holds(Opened store, SlotPool pool, int slot, int seed) {
        store.fill(BYTES, 0);
        assertEquals(Status.DONE, store.slot(Op.READ, pool, slot, BYTES), store::sentence);
        store.holds(BYTES, seed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachSlotIsAPreallocatedFileThatKeepsItsContents(boolean direct) throws IOException {
        try (Opened store = new Opened(engine, direct, root)) {
            SlotPool pool = pool(store);
            for (int slot = 0; slot < SLOTS; slot++) {
                assertEquals(BYTES, Files.size(file(slot)));
                assertFalse(pool.isLost(0, slot));
            }
            store.durable = true;
            write(store, pool, 3, 5);
            store.durable = false;
            write(store, pool, 0, 6);
            holds(store, pool, 3, 5);
            assertEquals((byte) (5 + 31), Files.readAllBytes(file(3))[1]);
            assertEquals(List.of(), store.list(""));
        }
        try (Opened store = new Opened(engine, direct, root)) {
            SlotPool pool = pool(store);
            holds(store, pool, 0, 6);
            holds(store, pool, 3, 5);
            long bypassed = store.backend.report().counters().get("transfers_direct");
            assertEquals(direct && store.backend.report().facts().toString().contains("on, blocks") ? 2 : 0, bypassed);
        }
    }

    @Test
    void aMissingOrShortFileIsAnEmptySlotUntilItIsWritten() throws IOException {
        try (Opened store = new Opened(engine, true, root)) {
            SlotPool pool = pool(store);
            for (int slot = 0; slot < SLOTS; slot++) {
                write(store, pool, slot, slot);
            }
        }
        Path missing = file(1);
        Files.delete(missing);
        try (RandomAccessFile cut = new RandomAccessFile(file(2).toFile(), "rw")) {
            cut.setLength(BYTES - 1);
        }
        for (int opening = 0; opening < 2; opening++) {
            try (Opened store = new Opened(engine, true, root)) {
                SlotPool pool = pool(store);
                assertTrue(pool.isLost(0, 1) && pool.isLost(0, 2));
                assertFalse(pool.isLost(0, 0) || pool.isLost(0, 3));
                assertEquals(Status.MISSING, store.slot(Op.READ, pool, 1, BYTES));
                assertEquals(Status.MISSING, store.slot(Op.READ, pool, 2, 100));
                holds(store, pool, 0, 0);
                holds(store, pool, 3, 3);
            }
        }
        try (Opened store = new Opened(engine, true, root)) {
            SlotPool pool = pool(store);
            store.durable = true;
            write(store, pool, 1, 21);
            store.durable = false;
            write(store, pool, 2, 22);
            assertFalse(pool.isLost(0, 1) || pool.isLost(0, 2));
            holds(store, pool, 1, 21);
        }
        assertEquals(BYTES, Files.size(missing));
        try (Opened store = new Opened(engine, false, root)) {
            SlotPool pool = pool(store);
            holds(store, pool, 1, 21);
            holds(store, pool, 2, 22);
        }
    }

    @Test
    void theLayoutOfAPoolStays() {
        try (Opened store = new Opened(engine, false, root)) {
            pool(store).close();
            store.backend.openPool("slab", SLOTS, BYTES).close();
            assertRefused("pool_layout = \"files\", wanted is \"slab\"", store, "kv", PoolLayout.SLAB, BYTES);
            assertRefused("pool_layout = \"slab\", wanted is \"files\"", store, "slab", PoolLayout.FILES, BYTES);
            assertRefused("use its geometry", store, "kv", PoolLayout.FILES, 4096);
            pool(store).close();
        }
    }

    private static void assertRefused(String text, Opened store, String name, PoolLayout layout, int bytes) {
        StorageException refused =
                assertThrows(StorageException.class, () -> store.backend.openPool(name, SLOTS, bytes, layout));
        assertEquals(Status.INVALID, refused.status());
        assertTrue(refused.getMessage().contains(text), refused.getMessage());
    }

    @Test
    void aPoolThatNeedsMoreOpenFilesThanAllowedIsRefusedAtOnce() throws IOException {
        try (Opened store = new Opened(engine, false, root)) {
            StorageException refused = assertThrows(
                    StorageException.class, () -> store.backend.openPool("big", 1 << 30, 1, PoolLayout.FILES));
            assertEquals(Status.UNAVAILABLE, refused.status());
            assertTrue(refused.getMessage().contains("needs 1073741824 open files"), refused.getMessage());
            assertTrue(refused.getMessage().contains("ulimit -n"), refused.getMessage());
            pool(store).close();
        }
        try (Stream<Path> left = Files.list(root.resolve(".nixlkv/pools"))) {
            assertEquals(
                    List.of("kv.files", "kv.lock"),
                    left.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void aHalfMadePoolIsMadeAnewAndOneOwnerHasIt() throws IOException {
        Path half = Files.createDirectories(root.resolve(".nixlkv/pools/kv.files.new"));
        Files.write(half.resolve("obj_0_x.bin"), new byte[10]);
        try (Opened store = new Opened(engine, false, root);
                Opened other = new Opened(engine, false, root)) {
            SlotPool pool = pool(store);
            assertFalse(Files.exists(half));
            StorageException refused = assertThrows(StorageException.class, () -> pool(other));
            assertEquals(Status.UNAVAILABLE, refused.status());
            write(store, pool, 1, 9);
            pool.close();
            holds(other, pool(other), 1, 9);
        }
    }

    @Test
    void openFilesAreClosedWithThePoolAndAfterAFailure(@TempDir Path second) throws IOException {
        try (Opened store = new Opened(engine, true, root, second)) {
            long before = openFiles(root, second);
            SlotPool pool = pool(store);
            assertTrue(openFiles(root, second) >= before + 2 * SLOTS);
            pool.close();
            assertEquals(before, openFiles(root, second));
            Files.createFile(second.resolve(".nixlkv/pools/new.slab"));
            assertThrows(StorageException.class, () -> store.backend.openPool("new", SLOTS, BYTES, PoolLayout.FILES));
            assertEquals(before, openFiles(root, second));
            assertFalse(Files.exists(root.resolve(".nixlkv/pools/new.files")));
        }
    }

    private static long openFiles(Path... below) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(link -> {
                        try {
                            Path target = Files.readSymbolicLink(link);
                            return Stream.of(below).anyMatch(target::startsWith);
                        } catch (IOException closed) {
                            return false;
                        }
                    })
                    .count();
        }
    }
}
