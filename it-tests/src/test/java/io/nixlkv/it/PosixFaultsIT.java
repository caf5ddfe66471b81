package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real faults under the packed POSIX plugin: a clear failure per object, nothing lost, nothing half-visible. */
class PosixFaultsIT {
    private static final CallOptions ANY = CallOptions.DEFAULT;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    @AfterEach
    void closeHost() {
        host.close();
    }

    @Test
    void aFullDiskFailsWhatDoesNotFitAndTellsTheTruth() {
        try (Mount full = Mount.tmpfs(directory, "1m");
                KvStore store = host.raw(directory);
                ArenaLease lease = store.arena().lease(10 * 200 * 1024, Duration.ZERO)) {
            List<KvObject> objects = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                objects.add(new KvObject(new RawKey("o" + i), lease.slice(i * 200 * 1024, 200 * 1024)));
            }
            BatchResult stored = store.store(objects, ANY);
            assertTrue(stored.okCount() == 4 || stored.okCount() == 5, stored::toString);
            assertEquals(10 - stored.okCount(), stored.count(Status.NO_SPACE));
            BatchResult found = store.lookup(objects.stream().map(KvObject::key).toList(), ANY, 200 * 1024);
            for (int i = 0; i < 10; i++) {
                assertEquals(stored.get(i).ok(), found.get(i).ok(), "lookup agrees with the answers");
            }
            assertEquals(0, temporaries());
            ObjectResult big = store.store(new RawKey("big"), ByteBuffer.allocateDirect(2 << 20), ANY);
            assertEquals(Status.NO_SPACE, big.status());
            assertTrue(big.reason().contains("big") && big.reason().contains(directory.toString()), big.reason());
            assertEquals(
                    Status.MISSING,
                    store.load(new RawKey("big"), ByteBuffer.allocate(2 << 20), ANY)
                            .status());
            store.delete(List.of(objects.get(0).key(), objects.get(1).key()), ANY);
            assertTrue(store.store(new RawKey("small"), ByteBuffer.allocate(4096), ANY)
                    .ok());
            assertTrue(full != null);
        }
    }

    @Test
    void anAllOrNothingBatchOnAFullDiskLeavesNothing() {
        try (Mount full = Mount.tmpfs(directory, "1m");
                KvStore store = host.raw(directory);
                ArenaLease lease = store.arena().lease(10 * 200 * 1024, Duration.ZERO)) {
            List<KvObject> objects = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                objects.add(new KvObject(new RawKey("o" + i), lease.slice(i * 200 * 1024, 200 * 1024)));
            }
            assertEquals(
                    0, store.store(objects, ANY.with(Atomicity.ALL_OR_NOTHING)).okCount());
            assertEquals(
                    10,
                    store.lookup(objects.stream().map(KvObject::key).toList(), ANY)
                            .count(Status.MISSING));
            assertEquals(0, temporaries());
            assertTrue(store.store(objects.subList(0, 4), ANY.with(Atomicity.ALL_OR_NOTHING))
                    .allOk());
            assertTrue(full != null);
        }
    }

    @Test
    void healthFollowsTheResults() {
        try (Mount full = Mount.tmpfs(directory, "1m");
                KvStore store = host.raw(directory)) {
            for (int i = 0; i < 10; i++) {
                assertFalse(store.store(new RawKey("k" + i), ByteBuffer.allocate(2 << 20), ANY)
                        .ok());
            }
            assertFalse(store.status().healthy());
            assertTrue(
                    store.store(new RawKey("ok"), ByteBuffer.allocate(10), ANY).ok());
            assertTrue(store.status().healthy());
            assertTrue(full != null);
        }
    }

    @Test
    void aReadOnlyMountServesWhatIsThere() {
        Path kv = directory.resolve("kv");
        RawKey there = new RawKey("there");
        try (KvStore store = host.raw(kv)) {
            assertTrue(store.store(there, ByteBuffer.allocate(10), ANY).ok());
        }
        try (Mount readOnly = Mount.readOnly(directory);
                KvStore store = host.raw(kv)) {
            assertTrue(store.load(there, ByteBuffer.allocate(10), ANY).ok());
            ObjectResult refused = store.store(new RawKey("new"), ByteBuffer.allocate(10), ANY);
            assertEquals(Status.DENIED, refused.status());
            assertTrue(refused.toString().contains("Read-only file system; remount it"), refused.toString());
            assertTrue(readOnly != null);
        }
    }

    @Test
    void aPathThatIsAFileIsRefusedAtStart() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        for (Path path : List.of(file, file.resolve("below"))) {
            RuntimeException refused =
                    assertThrows(RuntimeException.class, () -> host.raw(path).close());
            assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
        }
        assertEquals("x", Files.readString(file));
    }

    @Test
    void whereDirectIoIsRefusedTheDataGoesBuffered() {
        try (Mount ram = Mount.ramfs(directory);
                KvStore store = host.posix(directory.toString(), true, "layout = \"raw\"")) {
            roundTrip(store, 4096);
            roundTrip(store, 513);
            String facts = store.status().details().get("backend_facts").toString();
            assertTrue(facts.contains("direct_io"), facts);
            assertEquals(0L, counter(store, "transfers_direct"));
            assertTrue(ram != null);
        }
    }

    @Test
    void directIoTakesWhatIsAlignedAndBuffersTheRest() {
        try (KvStore store = host.posix(directory.toString(), true, "layout = \"raw\"")) {
            for (int size : new int[] {1, 511, 4095, 4097, 70_000}) {
                roundTrip(store, size);
            }
            assertEquals(0L, counter(store, "transfers_direct"));
            roundTrip(store, 8192);
            assertEquals(2L, counter(store, "transfers_direct"));
            assertEquals(10L, counter(store, "transfers_buffered"));
        }
    }

    @Test
    void aComponentThatIsAnObjectIsNamed() {
        try (KvStore store = host.raw(directory)) {
            assertTrue(store.store(new RawKey("a"), ByteBuffer.allocate(1), ANY).ok());
            ObjectResult below = store.store(new RawKey("a/b"), ByteBuffer.allocate(1), ANY);
            assertEquals(Status.INVALID, below.status());
            assertTrue(below.reason().contains("a"), below.reason());
            assertEquals(
                    Status.MISSING,
                    store.load(new RawKey("a/b"), ByteBuffer.allocate(1), ANY).status());
            assertTrue(store.load(new RawKey("a"), ByteBuffer.allocate(1), ANY).ok());
        }
    }

    @Test
    void namesThatCouldEscapeChangeNothingOutside() throws IOException {
        Path root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(directory.resolve("victim"), "safe");
        try (KvStore store = host.raw(root)) {
            for (String name : List.of(
                    "../victim",
                    "/etc/nixlkv",
                    "a/../../victim",
                    "..",
                    ".",
                    "",
                    "a//b",
                    "a/",
                    "a\0b",
                    "a\nb",
                    ".nixlkv/x")) {
                RawKey key = new RawKey(name);
                assertThrows(RuntimeException.class, () -> store.store(key, ByteBuffer.allocate(1), ANY), name);
                assertThrows(RuntimeException.class, () -> store.load(key, ByteBuffer.allocate(4), ANY), name);
                assertThrows(RuntimeException.class, () -> store.delete(List.of(key), ANY), name);
            }
        }
        assertEquals("safe", Files.readString(directory.resolve("victim")));
        assertEquals(new TreeSet<>(List.of("root", "victim")), children(directory));
        assertEquals(new TreeSet<>(List.of(".nixlkv")), children(root));
    }

    @Test
    void longNamesAreRefusedAndTheLongestDiffer() {
        String longest = "n".repeat(254);
        try (KvStore store = host.raw(directory)) {
            assertTrue(store.store(new RawKey(longest + "1"), ByteBuffer.allocate(1), ANY)
                    .ok());
            assertTrue(store.store(new RawKey(longest + "2"), ByteBuffer.allocate(2), ANY)
                    .ok());
            assertTrue(store.load(new RawKey(longest + "1"), ByteBuffer.allocate(1), ANY)
                    .ok());
            RuntimeException refused = assertThrows(
                    RuntimeException.class, () -> store.store(new RawKey(longest + "12"), ByteBuffer.allocate(1), ANY));
            assertTrue(refused.getMessage().contains("255"), refused.getMessage());
        }
    }

    @Test
    void similarNamesStayApart() {
        List<String> names =
                List.of("org/model/x", "org-SEP-model-SEP-x", "org_model_x", "org%2Fmodel%2Fx", "ORG/model/x");
        try (KvStore store = host.raw(directory)) {
            for (int i = 0; i < names.size(); i++) {
                assertTrue(store.store(new RawKey(names.get(i)), ByteBuffer.wrap(new byte[] {(byte) i}), ANY)
                        .ok());
            }
            store.delete(List.of(new RawKey(names.get(1))), ANY);
            for (int i = 0; i < names.size(); i++) {
                ByteBuffer value = ByteBuffer.allocate(1);
                assertEquals(
                        i != 1, store.load(new RawKey(names.get(i)), value, ANY).ok());
                assertEquals(i == 1 ? 0 : i, value.get(0));
            }
        }
    }

    @Test
    void leftoversOfOthersAreNoHitsAndAreRepaired() throws IOException {
        Files.createFile(directory.resolve("empty"));
        Files.write(directory.resolve("half"), new byte[5]);
        Files.createDirectory(directory.resolve("folder"));
        try (KvStore store = host.raw(directory)) {
            List<KvKey> keys = List.of(new RawKey("empty"), new RawKey("half"));
            assertEquals(
                    List.of(Status.MISSING, Status.WRONG_SIZE),
                    store.lookup(keys, ANY, 10).results().stream()
                            .map(ObjectResult::status)
                            .toList());
            assertEquals(
                    Status.MISSING,
                    store.load(keys.get(0), ByteBuffer.allocate(10), ANY).status());
            assertEquals(
                    Status.WRONG_SIZE,
                    store.load(keys.get(1), ByteBuffer.allocate(10), ANY).status());
            assertEquals(
                    Status.FAILED,
                    store.load(new RawKey("folder"), ByteBuffer.allocate(10), ANY)
                            .status());
            assertTrue(store.store(keys.get(0), ByteBuffer.allocate(10), ANY.with(Mode.CREATE))
                    .ok());
            assertEquals(
                    Status.WRONG_SIZE,
                    store.store(keys.get(1), ByteBuffer.allocate(10), ANY.with(Mode.CREATE))
                            .status());
            assertTrue(store.store(keys.get(1), ByteBuffer.allocate(10), ANY.with(Mode.REPLACE))
                    .ok());
            assertEquals(2, store.lookup(keys, ANY, 10).okCount());
        }
    }

    @Test
    void replacingKeepsNoOldTail() {
        try (KvStore store = host.raw(directory)) {
            RawKey key = new RawKey("k");
            for (int size : new int[] {8192, 4096, 1}) {
                byte[] value = new byte[size];
                new Random(size).nextBytes(value);
                assertTrue(store.store(key, ByteBuffer.wrap(value), ANY.with(Mode.REPLACE))
                        .ok());
                ByteBuffer back = ByteBuffer.allocate(size);
                assertTrue(store.load(key, back, ANY).ok());
                assertEquals(ByteBuffer.wrap(value), back);
            }
        }
    }

    @Test
    void aFileThatGoesBetweenLookupAndLoadIsAMiss() throws IOException {
        try (KvStore store = host.raw(directory)) {
            RawKey key = new RawKey("k");
            store.store(key, ByteBuffer.allocate(100), ANY);
            assertTrue(store.lookup(List.of(key), ANY).allOk());
            Files.delete(directory.resolve("k"));
            assertEquals(
                    Status.MISSING,
                    store.load(key, ByteBuffer.allocate(100), ANY).status());
        }
    }

    @Test
    void anInterruptedCallerHarmsNobody() {
        try (KvStore store = host.raw(directory)) {
            for (int i = 0; i < 50; i++) {
                Thread.currentThread().interrupt();
                RawKey key = new RawKey("k" + i);
                assertTrue(store.store(key, ByteBuffer.allocate(4096), ANY).ok());
                assertTrue(store.load(key, ByteBuffer.allocate(4096), ANY).ok());
                assertTrue(Thread.interrupted());
            }
        }
    }

    @Test
    void severalDirectoriesShareTheObjectsAndKeepThemOverARestart() throws IOException {
        String paths = directory.resolve("d1") + "," + directory.resolve("d2");
        List<KvKey> keys = new ArrayList<>();
        try (KvStore store = host.posix(paths, false, "layout = \"raw\"")) {
            for (int i = 0; i < 100; i++) {
                keys.add(new RawKey("k" + i));
                assertTrue(
                        store.store(keys.get(i), ByteBuffer.allocate(10), ANY).ok());
            }
        }
        assertTrue(children(directory.resolve("d1")).size() > 20);
        assertTrue(children(directory.resolve("d2")).size() > 20);
        try (KvStore store = host.posix(paths, false, "layout = \"raw\"")) {
            assertEquals(100, store.lookup(keys, ANY, 10).leadingOk());
        }
    }

    private static void roundTrip(KvStore store, int size) {
        byte[] value = new byte[size];
        new Random(size).nextBytes(value);
        RawKey key = new RawKey("size-" + size);
        assertTrue(store.store(key, ByteBuffer.wrap(value), ANY).ok());
        ByteBuffer back = ByteBuffer.allocate(size);
        assertTrue(store.load(key, back, ANY).ok());
        assertEquals(ByteBuffer.wrap(value), back);
    }

    private static Object counter(KvStore store, String name) {
        return ((java.util.Map<?, ?>) store.status().details().get("counters")).get(name);
    }

    private long temporaries() {
        try (Stream<Path> files = Files.walk(directory.resolve(".nixlkv"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock"))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static TreeSet<String> children(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            TreeSet<String> names = new TreeSet<>();
            files.forEach(file -> names.add(new String(
                    file.getFileName().toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)));
            return names;
        }
    }
}
