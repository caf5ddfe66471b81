package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real file systems that are full, read-only or refuse direct I/O. */
@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio"})
class FaultyFileSystemTest {
    private static final int LARGE = 64 << 10;

    @Parameter
    private String engine;

    private final Mounts mounts = new Mounts();

    @TempDir
    Path root;

    @BeforeEach
    void needsItsEngine() {
        Opened.assumeUsable(engine);
    }

    @AfterEach
    void unmount() {
        mounts.unmountAll();
    }

    @Test
    void aFullFileSystemFailsEachObjectAndLeavesNothing() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=1m", "tmpfs");
        try (Opened store = new Opened(engine, false, root)) {
            for (int i = 0; i < 1000; i++) {
                assertEquals(Status.NO_SPACE, store.create("big" + i, 2 << 20));
            }
            assertTrue(store.sentence().contains("No space left on device"), store.sentence());
            assertTrue(store.sentence().contains("\"big999\" in " + root.toRealPath()), store.sentence());
            assertEquals(28, store.batch.code(0));
            assertEquals(Status.MISSING, store.query("big0"));
            assertEquals(Status.MISSING, store.read("big0", 2 << 20));
            assertEquals(List.of(), Opened.temporaries(root));
            assertEquals(Status.DONE, store.create("small", 4096));
            assertEquals(1000, store.backend.report().counters().get("failures"));

            for (PoolLayout layout : PoolLayout.values()) {
                StorageException pool =
                        assertThrows(StorageException.class, () -> store.backend.openPool("kv", 64, 1 << 16, layout));
                assertEquals(Status.NO_SPACE, pool.status());
                assertEquals(
                        List.of(),
                        Opened.temporaries(root).stream()
                                .filter(f -> f.toString().contains("pools"))
                                .toList());
            }
            assertEquals(Status.DONE, store.create("small2", 4096));
        }
    }

    @Test
    void aBatchOnAFullFileSystemAgreesWithWhatIsThere() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=1m", "tmpfs");
        try (Opened store = new Opened(engine, false, root)) {
            List<Status> statuses = IntStream.range(0, 10)
                    .mapToObj(i -> store.create("k" + i, 200 << 10))
                    .toList();
            for (int i = 0; i < 10; i++) {
                assertEquals(statuses.get(i) == Status.DONE ? Status.DONE : Status.MISSING, store.query("k" + i));
            }
            assertTrue(statuses.contains(Status.DONE));
            assertTrue(statuses.contains(Status.NO_SPACE));
        }
    }

    @Test
    void whatIsThereIsPresentThoughNothingCanBeWritten() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=1m", "tmpfs");
        try (Opened store = new Opened(engine, false, root)) {
            assertEquals(Status.DONE, store.create("kept", 4096));
            assertEquals(Status.NO_SPACE, store.create("big", 2 << 20));
            assertEquals(Status.WRONG_SIZE, store.create("kept", 2 << 20));
            assertEquals(4096, store.batch.storedLength(0));
        }
        try (Opened store = new Opened(engine, false, root)) {
            Files.write(root.resolve("filling"), new byte[(1 << 20) - (64 << 10)]);
            assertEquals(Status.NO_SPACE, store.create("big", 128 << 10));
            assertEquals(Status.ALREADY_PRESENT, store.create("kept", 4096));
            assertEquals(List.of(), Opened.temporaries(root));
        }
    }

    @Test
    void newObjectsOfABatchDoNotPayForThoseThatAreThere() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=8m", "tmpfs");
        try (Opened store = new Opened(engine, false, root)) {
            store.createAll(56, LARGE);
            Files.write(root.resolve("filling"), new byte[(8 << 20) - 56 * LARGE - 10 * LARGE]);
            store.createAll(64, LARGE);
            for (int i = 0; i < 64; i++) {
                assertEquals(i < 56 ? Status.ALREADY_PRESENT : Status.DONE, store.batch.status(i), "object " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchOfObjectsThatAreThereIsNotWrittenAgain(boolean durable) {
        try (Opened store = new Opened(engine, false, root)) {
            store.durable = durable;
            for (int round = 0; round < 3; round++) {
                store.createAll(64, 4096);
                for (int i = 0; i < 64; i++) {
                    assertEquals(round == 0 ? Status.DONE : Status.ALREADY_PRESENT, store.batch.status(i));
                }
            }
            long again = (long) store.backend.report().counters().get("bytes_written") - 64 * 4096;
            // another thread may take items before the first has looked
            assertTrue(again <= 8 * 4096, again + " bytes were written in vain");
        }
    }

    @Test
    void runningOutOfInodesIsNoSpace() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=8m,nr_inodes=20", "tmpfs");
        try (Opened store = new Opened(engine, false, root)) {
            Status last = Status.DONE;
            for (int i = 0; i < 30 && last == Status.DONE; i++) {
                last = store.create("d" + i + "/k", 10);
            }
            assertEquals(Status.NO_SPACE, last);
            assertTrue(store.sentence().contains("inodes"), store.sentence());
            assertEquals(List.of(), Opened.temporaries(root));
        }
    }

    @Test
    void aFullFileSystemStillServesWhatIsThereAndCanBeEmptied() throws IOException {
        mounts.mount(root, "-t", "tmpfs", "-o", "size=8m,nr_inodes=16", "tmpfs");
        try (Opened store = new Opened(true, root)) {
            for (int i = 0; i < 9; i++) {
                assertEquals(Status.DONE, store.create("k" + i, 4096));
            }
        }
        for (int i = 0;
                Mounts.succeeds(List.of("touch", root.resolve("fill" + i).toString()));
                i++) {
            assertTrue(i < 16);
        }
        try (Opened store = new Opened(true, root)) {
            assertEquals(Status.DONE, store.query("k0"));
            assertEquals(Status.DONE, store.read("k0", 4096));
            assertEquals(Status.ALREADY_PRESENT, store.create("k0", 4096));
            assertEquals(Status.NO_SPACE, store.create("new", 4096));
            assertTrue(store.sentence().contains("inodes"), store.sentence());
            String fact = store.backend.report().facts().get("publication[" + root.toRealPath() + "]");
            assertTrue(fact.contains("full"), fact);
            for (int i = 0; i < 9; i++) {
                assertEquals(Status.DONE, store.delete("k" + i));
            }
            assertEquals(Status.DONE, store.create("new", 4096));
            assertEquals(Status.DONE, store.read("new", 4096));
        }
        assertEquals(List.of(), Opened.temporaries(root));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReadOnlyMountIsOpenedForReading(boolean usedBefore, @TempDir Path source) throws IOException {
        if (usedBefore) {
            try (Opened store = new Opened(engine, false, source)) {
                assertEquals(Status.DONE, store.create("m/k", 4096));
            }
        } else {
            Files.write(Files.createDirectory(source.resolve("m")).resolve("k"), new byte[4096]);
        }
        mounts.mount(root, "--bind", source.toString());
        mounts.mount(root, "-o", "remount,ro,bind");
        assertEquals(Optional.empty(), DirectoryCheck.problem(List.of(root)));
        try (Opened store = new Opened(engine, false, root)) {
            assertEquals(Status.DONE, store.query("m/k"));
            assertEquals(Status.DONE, store.read("m/k", 4096));
            assertEquals(Status.MISSING, store.read("m/other", 4096));
            assertEquals(Status.ALREADY_PRESENT, store.create("m/k", 4096));
            assertEquals(Status.DENIED, store.create("m/other", 4096));
            assertTrue(
                    store.sentence()
                            .endsWith("Read-only file system; remount it for writing or choose another directory"),
                    store.sentence());
            assertEquals(Status.DENIED, store.delete("m/k"));
            assertEquals(
                    "none, opened for reading: Read-only file system",
                    store.backend.report().facts().get("publication[" + root.toRealPath() + "]"));
        }
        assertEquals(usedBefore, Files.exists(source.resolve(".nixlkv")));
    }

    @Test
    void aStoreWhoseDirectoryBecomesWritableWrites(@TempDir Path source) throws IOException {
        mounts.mount(root, "--bind", source.toString());
        mounts.mount(root, "-o", "remount,ro,bind");
        try (Opened store = new Opened(engine, false, root)) {
            assertEquals(Status.DENIED, store.create("k", 4096));
            mounts.mount(root, "-o", "remount,rw,bind");
            assertEquals(Status.DONE, store.create("k", 4096));
            assertEquals(Status.DONE, store.read("k", 4096));
        }
        assertEquals(List.of(), Opened.temporaries(root));
    }

    @Test
    void nothingIsMadeBelowAReadOnlyMount(@TempDir Path source) throws IOException {
        mounts.mount(root, "--bind", source.toString());
        mounts.mount(root, "-o", "remount,ro,bind");
        DirectoryCheck.Problem below =
                DirectoryCheck.found(List.of(root.resolve("a/b"))).orElseThrow();
        assertTrue(below.sentence().contains("Read-only file system"), below.toString());
        assertFalse(below.mistake());
        StorageException refused =
                assertThrows(StorageException.class, () -> new Opened(engine, false, root.resolve("a")).close());
        assertEquals(Status.DENIED, refused.status());
        assertTrue(refused.getMessage().contains(root.toString()), refused.getMessage());
    }

    @Test
    void aVirtualFileSystemMakesNoDirectories() {
        StorageException refused = assertThrows(
                StorageException.class, () -> new Opened(engine, false, Path.of("/proc/nixlkv-kv")).close());
        assertTrue(
                refused.getMessage().contains("it cannot be made: this file system makes no directories"),
                refused.getMessage());
    }

    @Test
    void anImmutableDirectoryFailsEachWrite() throws IOException {
        try (Opened store = new Opened(engine, false, root)) {
            assertEquals(Status.DONE, store.create("d/before", 10));
            String directory = root.resolve("d").toString();
            assumeTrue(Mounts.succeeds(List.of("chattr", "+i", directory)), "needs root and a file system with chattr");
            try {
                assertEquals(Status.DENIED, store.create("d/after", 10));
                assertTrue(store.sentence().contains("\"d/after\""), store.sentence());
                assertEquals(Status.DENIED, store.replace("d/before", 10));
                assertEquals(Status.DENIED, store.delete("d/before"));
                assertEquals(Status.DONE, store.read("d/before", 10));
                assertEquals(List.of(), Opened.temporaries(root));
            } finally {
                assertTrue(Mounts.succeeds(List.of("chattr", "-i", directory)));
            }
        }
    }

    @Test
    void ramfsFallsBackToBufferedOnceWithAWarning() throws IOException {
        Logger logger = Logger.getLogger(FileRoot.class.getName());
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                warnings.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        mounts.mount(root, "-t", "ramfs", "ramfs");
        try (Opened store = new Opened(engine, true, root)) {
            store.fill(8192, 4);
            assertEquals(Status.DONE, store.create("k", 8192));
            assertEquals(Status.DONE, store.create("odd", 513));
            store.fill(8192, 0);
            assertEquals(Status.DONE, store.read("k", 8192));
            store.holds(8192, 4);
            assertEquals(1, warnings.size());
            assertTrue(warnings.get(0).contains(root.toRealPath().toString()), warnings.get(0));
            String fact = store.backend.report().facts().get("direct_io[" + root.toRealPath() + "]");
            assertTrue(fact.contains("refused by the file system: Invalid argument"), fact);
            assertEquals(0, store.backend.report().counters().get("transfers_direct"));
            assertEquals(3, store.backend.report().counters().get("transfers_buffered"));
            store.backend.openPool("kv", 4, 4096).close();
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void aDirectoryThatIsAFileIsRefused() throws IOException {
        Path file = Files.write(root.resolve("f"), new byte[1]);
        String problem = DirectoryCheck.problem(List.of(file)).orElseThrow();
        assertTrue(problem.startsWith(file + " is a file"), problem);
        String below = DirectoryCheck.problem(List.of(file.resolve("sub"))).orElseThrow();
        assertTrue(below.contains(file + " is a file"), below);
        Files.createSymbolicLink(root.resolve("nowhere"), root.resolve("absent"));
        String dangling =
                DirectoryCheck.problem(List.of(root.resolve("nowhere"))).orElseThrow();
        assertTrue(dangling.contains("symbolic link to nowhere"), dangling);
        assertThrows(StorageException.class, () -> new Opened(engine, false, file).close());
        assertFalse(DirectoryCheck.problem(List.of(root.resolve("x/y/z"))).isPresent());
        assertFalse(Files.exists(root.resolve("x")));
    }

    @Test
    void directTransfersAreCounted() {
        try (Opened store = new Opened(engine, true, root)) {
            boolean direct = store.backend.report().facts().toString().contains("on, blocks");
            store.fill(8192, 4);
            assertEquals(Status.DONE, store.create("k", 8192));
            assertEquals(Status.DONE, store.create("odd", 513));
            store.fill(8192, 0);
            assertEquals(Status.DONE, store.read("k", 8192));
            store.holds(8192, 4);
            assertEquals(direct ? 2 : 0, store.backend.report().counters().get("transfers_direct"));
            assertEquals(8192 + 513, store.backend.report().counters().get("bytes_written"));
            assertEquals(8192, store.backend.report().counters().get("bytes_read"));
        }
    }
}
