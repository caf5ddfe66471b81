package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Linked folders under a root: one rule for every engine. */
@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring"})
class LinkRuleTest {
    private static final int LENGTH = 100;

    @Parameter
    private String engine;

    @TempDir
    Path directory;

    private Path root;
    private Path elsewhere;
    private Opened store;

    @BeforeEach
    void open() throws IOException {
        root = directory.toRealPath().resolve("root");
        elsewhere = Files.createDirectory(directory.toRealPath().resolve("elsewhere"));
        store = new Opened(engine, false, root);
        Files.createDirectories(root.resolve("a/b"));
    }

    @AfterEach
    void close() throws IOException {
        if (store != null) {
            assertEquals(List.of(), Opened.temporaries(root));
            store.close();
        }
    }

    @Test
    void aFolderOutsideIsNeitherReadNorWritten() throws IOException {
        Path secret = Files.write(elsewhere.resolve("secret"), new byte[LENGTH]);
        Files.createSymbolicLink(root.resolve("absolute"), elsewhere);
        Files.createSymbolicLink(root.resolve("a/relative"), root.resolve("a").relativize(elsewhere));
        Files.createSymbolicLink(root.resolve("a/b/further"), Path.of("../relative"));
        for (String link : List.of("absolute", "a/relative", "a/b/further")) {
            for (Op op : List.of(Op.READ, Op.QUERY, Op.DELETE, Op.WRITE)) {
                for (Mode mode : Mode.values()) {
                    assertEquals(Status.DENIED, store.run(op, mode, link + "/secret", LENGTH, 0), op + " by " + link);
                    assertEquals(18, store.batch.code(0));
                    assertTrue(
                            store.sentence().contains(link + "/secret\" in " + root)
                                    && store.sentence().contains("leads outside the directory"),
                            store.sentence());
                    assertEquals(Status.DENIED, store.run(op, mode, link + "/new/deep", LENGTH, 0), op + " by " + link);
                }
            }
        }
        assertEquals(List.of(secret), Files.list(elsewhere).toList());
    }

    @Test
    void aFolderInsideIsFollowedByRelativeLinks() throws IOException {
        Files.createSymbolicLink(root.resolve("a/b/up"), Path.of("../../c/./d"));
        Files.createSymbolicLink(root.resolve("again"), Path.of("a/b/up"));
        Files.createDirectories(root.resolve("c/d"));
        assertEquals(Status.DONE, store.create("again/k", LENGTH));
        assertEquals(Status.DONE, store.read("c/d/k", LENGTH));
        assertEquals(Status.DONE, store.replace("a/b/up/k", LENGTH));
        assertEquals(Status.DONE, store.query("again/k"));
        assertEquals(Status.DONE, store.delete("a/b/up/k"));
        assertEquals(Status.MISSING, store.query("c/d/k"));
    }

    @Test
    void anAbsoluteLinkIsRefusedWhereverItLeads() throws IOException {
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("a"));
        assertEquals(Status.DENIED, store.create("inside/k", LENGTH));
        assertEquals(Status.DENIED, store.query("inside/k"));
    }

    @Test
    void aLinkThatComesBetweenStagingAndPublishingIsRefused() throws IOException {
        assertEquals(Status.DONE, store.run(Op.STAGE, Mode.CREATE, "later/k", LENGTH, 0));
        long token = store.batch.token(0);
        Files.createSymbolicLink(root.resolve("later"), elsewhere);
        assertEquals(Status.DENIED, store.run(Op.PUBLISH, Mode.CREATE, "later/k", LENGTH, token));
        assertEquals(0, Files.list(elsewhere).count());
    }
}
