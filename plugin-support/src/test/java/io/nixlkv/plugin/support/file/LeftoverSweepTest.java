package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeftoverSweepTest {
    @TempDir
    Path root;

    @Test
    void sweepsAKilledProcessAndNeverALiveOne() throws Exception {
        try (ChildJvm dead = ChildMain.start(List.of(), "stage", root);
                ChildJvm alive = ChildMain.start(List.of(), "stage", root)) {
            assertEquals("staged", dead.line());
            assertEquals("staged", alive.line());
            assertEquals(40, Opened.temporaries(root).size());
            dead.kill();
            try (Opened store = new Opened(false, root)) {
                assertEquals(20, Opened.temporaries(root).size());
                assertEquals(List.of(), store.list(""));
            }
            alive.kill();
        }
        try (Opened store = new Opened(false, root)) {
            assertEquals(List.of(), store.list(""));
            assertEquals(List.of(), Opened.temporaries(root));
        }
        assertEquals(List.of(), lockFiles());
    }

    @Test
    void anotherBackendOfThisProcessStaysWhole() throws IOException {
        try (Opened first = new Opened(false, root)) {
            assertEquals(Status.DONE, first.run(Op.STAGE, Mode.CREATE, "k", 100, 0));
            long token = first.batch.token(0);
            try (Opened second = new Opened(false, root)) {
                assertEquals(Status.DONE, second.create("other", 10));
            }
            try (ChildJvm child = ChildMain.start(List.of(), "stage", root)) {
                assertEquals("staged", child.line());
            }
            assertEquals(Status.DONE, first.run(Op.PUBLISH, Mode.CREATE, "k", 100, token));
            assertEquals(List.of("k", "other"), first.list(""));
        }
        assertEquals(List.of(), lockFiles());
    }

    /** Somebody removes everything that is not an object while a store is open, which then goes on and is killed. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "threads", "uring"})
    void aFolderMadeAgainIsSweptToo(String engine) throws Exception {
        assumeTrue(engine.equals("nio") || NativeIo.isAvailable(), "the native library is absent");
        try (ChildJvm child = ChildMain.start(List.of(), "restored", root, engine)) {
            assertEquals("staged", child.line());
            new Opened(false, root).close();
            assertEquals(20, Opened.temporaries(root).size(), "its process lives");
            child.kill();
        }
        new Opened(false, root).close();
        assertEquals(List.of(), Opened.temporaries(root));
        assertEquals(List.of(), lockFiles());
    }

    /** U03: the space of a crash comes back while another host lives on. */
    @Test
    void aLiveBackendSweepsWhenItIsAskedTo() throws Exception {
        try (Opened store = new Opened(false, root);
                ChildJvm dead = ChildMain.start(List.of(), "stage", root);
                ChildJvm alive = ChildMain.start(List.of(), "stage", root)) {
            assertEquals("staged", dead.line());
            assertEquals("staged", alive.line());
            assertEquals(Status.DONE, store.run(Op.STAGE, Mode.CREATE, "k", 100, 0));
            long token = store.batch.token(0);
            int before = Opened.temporaries(root).size();
            dead.kill();
            store.backend.sweep(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
            assertEquals(before - 20, Opened.temporaries(root).size());
            assertEquals(Status.DONE, store.run(Op.PUBLISH, Mode.CREATE, "k", 100, token));
        }
    }

    @Test
    void oneThatCannotBeSweptDoesNotKeepTheOthers() throws Exception {
        try (ChildJvm dead = ChildMain.start(List.of(), "stage", root)) {
            assertEquals("staged", dead.line());
            dead.kill();
        }
        for (int i = 0; i < 8; i++) {
            // in whatever order a directory is read, some come before the dead one's
            Files.createDirectory(root.resolve(".nixlkv/" + new UUID(i, i) + ".lock"));
        }
        Opened store = new Opened(false, root);
        store.close();
        assertEquals(List.of(), Opened.temporaries(root));
    }

    private List<Path> lockFiles() throws IOException {
        try (var work = Files.list(root.resolve(".nixlkv"))) {
            return work.filter(file -> file.toString().endsWith(".lock")).toList();
        }
    }
}
