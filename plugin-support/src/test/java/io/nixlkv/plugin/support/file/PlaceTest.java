package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What else can stand where an object should be. */
@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio"})
class PlaceTest {
    private final String engine;

    @TempDir
    Path root;

    private Opened store;

    PlaceTest(String engine) {
        Opened.assumeUsable(engine);
        this.engine = engine;
    }

    @BeforeEach
    void open() {
        store = new Opened(engine, false, root);
    }

    @AfterEach
    void nothingTemporaryIsLeft() throws IOException {
        assertEquals(List.of(), Opened.temporaries(root));
        store.close();
        try (var work = Files.list(root.resolve(".nixlkv"))) {
            assertEquals(
                    List.of(),
                    work.filter(f -> !f.toString().endsWith("publish.guard")).toList());
        }
    }

    @Test
    void anEmptyLeftoverCountsAsAbsentAndIsRepaired() throws IOException {
        Files.createFile(root.resolve("k"));
        assertEquals(Status.MISSING, store.query("k"));
        assertEquals(Status.MISSING, store.read("k", 10));
        assertEquals(Status.MISSING, store.delete("k"));
        assertEquals(List.of(), store.list(""));
        store.fill(10, 3);
        assertEquals(Status.DONE, store.create("k", 10));
        store.fill(10, 0);
        assertEquals(Status.DONE, store.read("k", 10));
        store.holds(10, 3);
    }

    @Test
    void halfAnObjectIsTheWrongSize() throws IOException {
        Files.write(root.resolve("k"), new byte[5]);
        assertEquals(Status.WRONG_SIZE, store.read("k", 10));
        assertEquals(5, store.batch.storedLength(0));
        assertEquals(Status.WRONG_SIZE, store.create("k", 10));
        assertEquals(5, store.batch.storedLength(0));
        assertEquals(Status.DONE, store.replace("k", 10));
        assertEquals(Status.DONE, store.query("k"));
        assertEquals(10, store.batch.storedLength(0));
    }

    @Test
    void aDirectoryInItsPlaceIsAFailureWithWords() throws IOException {
        Files.createDirectory(root.resolve("k"));
        for (int length : new int[] {10, 4096, (int) Files.size(root.resolve("k"))}) {
            assertEquals(Status.FAILED, store.read("k", length));
            assertTrue(store.sentence().contains("/k is a directory"), store.sentence());
            assertEquals(Status.FAILED, store.create("k", length));
            assertTrue(store.sentence().contains("/k is a directory"), store.sentence());
            assertEquals(Status.FAILED, store.replace("k", length));
            assertTrue(store.sentence().contains("/k is a directory"), store.sentence());
        }
        assertEquals(Status.MISSING, store.query("k"));
        assertEquals(Status.MISSING, store.delete("k"));
        assertTrue(Files.isDirectory(root.resolve("k")));
    }

    @Test
    void aDirectoryOfOtherObjectsIsAMiss() {
        assertEquals(Status.DONE, store.create("d/e", 10));
        assertEquals(Status.MISSING, store.read("d", 10));
        assertEquals(Status.MISSING, store.read("d", 4096));
    }

    @Test
    void aComponentThatIsAFileIsNamed() throws IOException {
        Files.write(root.resolve("f"), new byte[5]);
        assertEquals(Status.MISSING, store.read("f/k", 10));
        assertEquals(Status.MISSING, store.query("f/k/l"));
        assertEquals(Status.MISSING, store.delete("f/k"));
        for (String name : List.of("f/k", "f/k/l")) {
            assertEquals(Status.INVALID, store.create(name, 10));
            assertTrue(store.sentence().contains(root.toRealPath() + "/f is a file"), store.sentence());
            assertEquals(Status.INVALID, store.replace(name, 10));
            assertTrue(store.sentence().contains(root.toRealPath() + "/f is a file"), store.sentence());
        }
    }

    @Test
    void linksAreNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path target = Files.write(elsewhere.resolve("secret"), new byte[10]);
        Files.createSymbolicLink(root.resolve("k"), target);
        assertEquals(Status.MISSING, store.query("k"));
        assertEquals(Status.FAILED, store.read("k", 10));
        assertTrue(store.sentence().contains("symbolic link"), store.sentence());
        assertEquals(Status.FAILED, store.create("k", 10));
        assertEquals(Status.MISSING, store.delete("k"));
        assertEquals(List.of(), store.list(""));
        assertTrue(Files.exists(target));
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void aFifoOrALinkToNowhereIsNeitherWaitedForNorReplacedByCreate() throws IOException {
        assumeTrue(Mounts.succeeds(List.of("mkfifo", root.resolve("k").toString())), "needs mkfifo");
        Files.createSymbolicLink(root.resolve("l"), root.resolve("absent"));
        for (String name : List.of("k", "l")) {
            assertEquals(Status.FAILED, store.read(name, 10));
            assertTrue(store.sentence().contains("in the object's place"), store.sentence());
            assertEquals(Status.MISSING, store.query(name));
            assertEquals(Status.MISSING, store.delete(name));
            assertEquals(Status.FAILED, store.create(name, 10));
            assertTrue(store.sentence().contains("in the object's place"), store.sentence());
            assertFalse(Files.isRegularFile(root.resolve(name)), "untouched");
            assertEquals(Status.DONE, store.replace(name, 10));
            assertEquals(Status.DONE, store.read(name, 10));
        }
    }

    @Test
    void whatCannotBeExaminedIsNotMissing() throws IOException {
        Files.createSymbolicLink(root.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(root.resolve("b"), Path.of("a"));
        assertEquals(Status.FAILED, store.query("a/k"));
        assertTrue(store.sentence().contains("symbolic links"), store.sentence());
        assertEquals(Status.FAILED, store.delete("a/k"));
        assertEquals(Status.FAILED, store.read("a/k", 10));
    }

    @Test
    void aLinkedRootServes(@TempDir Path elsewhere) throws IOException {
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), root);
        try (Opened linked = new Opened(engine, false, link)) {
            assertEquals(Status.DONE, linked.create("k", 10));
        }
        assertEquals(Status.DONE, store.read("k", 10));
    }

    @Test
    void twoRootsThatShareObjectsAreRefused(@TempDir Path elsewhere) throws IOException {
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), root);
        for (Path other : List.of(link, root, root.resolve("below"))) {
            StorageException refused =
                    assertThrows(StorageException.class, () -> new Opened(engine, false, root, other).close());
            assertEquals(Status.INVALID, refused.status());
            assertTrue(refused.getMessage().contains(other.toString()), refused.getMessage());
        }
        Files.delete(root.resolve("below/.nixlkv"));
        Files.delete(root.resolve("below"));
    }

    @Test
    void aStagedObjectIsInvisibleUntilPublished() throws IOException {
        store.fill(100, 9);
        assertEquals(Status.DONE, store.run(Op.STAGE, Mode.CREATE, "s/k", 100, 0));
        long token = store.batch.token(0);
        assertEquals(Status.DONE, store.run(Op.STAGE, Mode.CREATE, "s/other", 100, 0));
        long other = store.batch.token(0);
        assertEquals(List.of(), store.list(""));
        assertEquals(2, Opened.temporaries(root).size());
        assertEquals(Status.DONE, store.run(Op.PUBLISH, Mode.CREATE, "s/k", 100, token));
        assertEquals(Status.INVALID, store.run(Op.PUBLISH, Mode.CREATE, "s/k", 100, token));
        assertEquals(Status.DONE, store.run(Op.DISCARD, Mode.CREATE, "s/other", 0, other));
        assertEquals(Status.INVALID, store.run(Op.DISCARD, Mode.CREATE, "s/other", 0, other));
        store.fill(100, 0);
        assertEquals(Status.DONE, store.read("s/k", 100));
        store.holds(100, 9);
    }

    @Test
    void aRemovedWorkFolderIsMadeAgain() throws IOException {
        try (var work = Files.walk(root.resolve(".nixlkv"))) {
            for (Path each : work.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        assertEquals(Status.DONE, store.create("k", 10), store::sentence);
        assertEquals(Status.DONE, store.read("k", 10));
    }
}
