package io.nixlkv.host.cleaner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.host.cleaner.CleaningReport.Outcome;
import io.nixlkv.host.config.StoreSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One pass over real files; what is measured are real file systems of a few MiB, and budgets. */
@Timeout(60)
@SuppressWarnings("try")
class CleaningPassTest {
    private static final CleaningWatch ALONE = new CleaningWatch() {};
    private static final StoreSettings LLAMA = Tree.settings("model = \"llama\"");
    private static final int PART = 32 << 10;
    private static final long PAGE = 2 * PART;

    @TempDir
    Path directory;

    private Tree tree;
    private long now;

    @BeforeEach
    void start() {
        tree = new Tree(directory.resolve("kv"));
        now = System.currentTimeMillis();
    }

    private void pages(int from, int to, String model) throws IOException {
        for (int page = from; page < to; page++) {
            tree.page(page, model, PART, now - Tree.HOUR * (1000 - page));
        }
    }

    private CleaningReport budget(StoreSettings settings, long bytes, CleaningWatch watch) throws IOException {
        return tree.clean(settings, Tree.marks(80, 50, bytes), watch);
    }

    private long remaining(int pages, String model) {
        long count = 0;
        for (int page = 0; page < pages; page++) {
            count += tree.has(page, model) ? 1 : 0;
        }
        return count;
    }

    @Test
    void aFullFileSystemIsCleanedToTheLowMarkOldestPagesFirst() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("kv"), "8m")) {
            pages(0, 110, "llama");
            CleaningReport report = tree.clean(LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.CLEANED, report.outcome(), report::toString);
            double used = report.volumes().get(0).after();
            assertTrue(used < 50 && used > 47, used + " % used");
            assertEquals(220, report.surveyed());
            assertEquals(2 * report.deletedGroups(), report.deleted());
            assertEquals(report.deletedGroups() * PAGE, report.deletedBytes());
            assertEquals(110 - report.deletedGroups(), remaining(110, "llama"));
            for (int page = 0; page < 110; page++) {
                assertEquals(page >= report.deletedGroups(), tree.has(page, "llama"), "page " + page);
            }
            CleaningReport again = tree.clean(LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.COOL, again.outcome());
            assertEquals(0, again.surveyed());
            assertEquals(small.path().toString(), again.volumes().get(0).name());
        }
    }

    @Test
    void theHighMarkItselfIsHot() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("kv"), "8m")) {
            pages(0, 40, "llama");
            CleaningReport report = tree.clean(LLAMA, Tree.marks(99, 1, 0), ALONE);
            assertEquals(small.path().toString(), report.volumes().get(0).name());
            double used = report.volumes().get(0).after();
            assertEquals(
                    Outcome.COOL,
                    tree.clean(LLAMA, Tree.marks(used + 0.01, 1, 0), ALONE).outcome());
            assertEquals(
                    Outcome.CLEANED,
                    tree.clean(LLAMA, Tree.marks(used, used - 5, 0), ALONE).outcome());
        }
    }

    @Test
    void directoriesOfOneFileSystemCountOnce() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("disk"), "8m")) {
            Tree one = new Tree(small.path().resolve("one"));
            Tree two = new Tree(small.path().resolve("two"));
            for (int page = 0; page < 110; page++) {
                (page % 2 == 0 ? one : two).write(Tree.key(page, "llama", "k"), PART, now - Tree.HOUR * (1000 - page));
                (page % 2 == 0 ? two : one).write(Tree.key(page, "llama", "v"), PART, now - Tree.HOUR * (1000 - page));
            }
            CleaningReport report = Tree.clean(List.of(one.root(), two.root()), LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.CLEANED, report.outcome());
            assertEquals(1, report.volumes().size());
            assertTrue(report.volumes().get(0).after() > 45, report::toString);
            assertEquals(one.files(), two.files());
            assertEquals(220 - report.deleted(), one.files() + two.files());
        }
    }

    @Test
    void onlyHotFileSystemsLosePagesButThoseWhole() throws IOException {
        try (TmpFs hot = new TmpFs(directory.resolve("hot"), "4m");
                TmpFs cool = new TmpFs(directory.resolve("cool"), "64m")) {
            Tree one = new Tree(hot.path());
            Tree two = new Tree(cool.path());
            for (int page = 0; page < 110; page++) {
                one.write(Tree.key(page, "llama", "k"), PART, now - Tree.HOUR * (1000 - page));
                two.write(Tree.key(page, "llama", "v"), PART, now - Tree.HOUR * (1000 - page));
            }
            two.page(500, "llama", PART, 0);
            CleaningReport report = Tree.clean(List.of(hot.path(), cool.path()), LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.CLEANED, report.outcome());
            assertEquals(one.files() + 2, two.files());
            assertTrue(two.has(500, "llama"), "the oldest page of all is not on the hot file system");
        }
    }

    @Test
    void otherDataIsNotPaidForWithTheWholeCache() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("kv"), "8m")) {
            Files.write(small.path().resolve("other.bin"), new byte[7 << 20]);
            pages(0, 10, "llama");
            CleaningReport report = tree.clean(LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.HOPELESS, report.outcome());
            assertEquals(10, remaining(10, "llama"));
            assertEquals(1, report.warnings().size());
            assertTrue(
                    report.warnings().get(0).contains("655360 bytes that this store holds there could not bring it"),
                    report.warnings()::toString);
        }
    }

    @Test
    void whereTheLowMarkIsOutOfReachTheHighOneHasToDo() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("kv"), "8m")) {
            Files.write(small.path().resolve("other.bin"), new byte[5 << 20]);
            pages(0, 30, "llama");
            CleaningReport report = tree.clean(LLAMA, Tree.marks(80, 50, 0), ALONE);
            assertEquals(Outcome.CLEANED, report.outcome());
            double used = report.volumes().get(0).after();
            assertTrue(used < 80 && used > 77, used + " % used");
        }
    }

    /** A file that is open keeps its space when it is deleted. */
    @Test
    void whatDoesNotShowStopsThePass() throws IOException {
        try (TmpFs small = new TmpFs(directory.resolve("kv"), "16m")) {
            pages(0, 230, "llama");
            List<FileChannel> open = new ArrayList<>();
            try (Stream<Path> files = Files.walk(small.path())) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    open.add(FileChannel.open(file));
                }
                CleaningReport report = tree.clean(LLAMA, Tree.marks(80, 20, 0), ALONE);
                assertEquals(Outcome.STUCK, report.outcome());
                assertTrue(report.deletedBytes() < 4 << 20, report::toString);
                assertTrue(remaining(230, "llama") > 160, report::toString);
                assertTrue(report.warnings().get(0).contains("snapshots, open files"), report.warnings()::toString);
            } finally {
                for (FileChannel channel : open) {
                    channel.close();
                }
            }
        }
    }

    @Test
    void aBudgetCountsTheStoresOwnBytesAlone() throws IOException {
        pages(0, 20, "llama");
        pages(0, 20, "llama-2");
        assertEquals(Outcome.COOL, budget(LLAMA, 20 * PAGE * 100 / 79, ALONE).outcome());
        CleaningReport report = budget(LLAMA, 20 * PAGE, ALONE);
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(100, report.volumes().get(0).before(), 1e-9);
        assertEquals(9, remaining(20, "llama"));
        assertEquals(20, remaining(20, "llama-2"));
        assertEquals(40, report.foreign());
        assertEquals(11, report.deletedGroups());
        assertEquals(11 * PAGE, report.models().get(0).going().bytes());
    }

    /** W02. */
    @Test
    void everythingElseStaysByteForByte() throws IOException {
        pages(0, 4, "llama");
        pages(0, 4, "llama-2");
        Files.createDirectories(tree.root().resolve("ab"));
        Files.writeString(tree.root().resolve("README"), "mine");
        Files.writeString(tree.root().resolve("ab/notes.txt"), "mine too");
        Files.writeString(tree.root().resolve("ab/.hidden.tmp"), "and mine");
        Files.createDirectories(tree.root().resolve(".nixlkv/x"));
        Files.writeString(tree.root().resolve(".nixlkv/x/1"), "a temporary");
        Files.write(tree.root().resolve("ab").resolve(new String(new char[] {'x', '\u00ff'})), new byte[1]);
        CleaningReport report = budget(LLAMA, 1, ALONE);
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(0, remaining(4, "llama"));
        assertEquals(4, remaining(4, "llama-2"));
        assertEquals("mine", Files.readString(tree.root().resolve("README")));
        assertEquals("mine too", Files.readString(tree.root().resolve("ab/notes.txt")));
        assertEquals(8 + 5, tree.files());
    }

    /** W07. */
    @Test
    void linksLeadNowhere() throws IOException {
        pages(0, 4, "llama");
        Path victim = directory.resolve("victim");
        Tree outside = new Tree(victim);
        outside.page(1, "llama", PART, 0);
        outside.page(2, "llama", PART, 0);
        String name = Tree.name(Tree.key(900, "llama", "k"));
        Files.createDirectories(tree.root().resolve(name).getParent());
        Files.createSymbolicLink(tree.root().resolve(name), victim.resolve(Tree.name(Tree.key(1, "llama", "k"))));
        String bucket = Stream.of("00", "01", "02", "03", "04", "05", "06", "07", "08", "09")
                .filter(free -> !Files.exists(tree.root().resolve(free)))
                .findFirst()
                .orElseThrow();
        Files.createSymbolicLink(tree.root().resolve(bucket), victim);
        Files.createSymbolicLink(tree.root().resolve("fe"), Path.of("fe"));
        Files.createSymbolicLink(tree.root().resolve("gone"), Path.of("nowhere"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), tree.root());
        CleaningReport report = Tree.clean(List.of(link.toRealPath()), LLAMA, Tree.marks(80, 50, 1), ALONE);
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(8, report.surveyed());
        assertEquals(0, remaining(4, "llama"));
        assertTrue(outside.has(1, "llama") && outside.has(2, "llama"));
        assertTrue(Files.isSymbolicLink(tree.root().resolve(name)));
    }

    @Test
    void aFolderReplacedByALinkDuringThePassIsNotFollowed() throws IOException {
        pages(0, 4, "llama");
        Path victim = directory.resolve("victim");
        CleaningReport report = budget(LLAMA, 1, new CleaningWatch() {
            private boolean done;

            @Override
            public boolean leased(KvKey key) {
                try {
                    if (!done) {
                        done = true;
                        Files.move(tree.root(), victim);
                        Files.createDirectory(tree.root());
                        try (Stream<Path> buckets = Files.list(victim)) {
                            for (Path bucket : buckets.toList()) {
                                Files.createSymbolicLink(tree.root().resolve(bucket.getFileName()), bucket);
                            }
                        }
                    }
                } catch (IOException failed) {
                    throw new AssertionError(failed);
                }
                return false;
            }
        });
        assertEquals(0, report.deleted());
        assertTrue(report.failed() > 0);
        assertEquals(8, new Tree(victim).files());
    }

    @Test
    void whatSomebodyCountsOnStaysWithItsWholePage() throws IOException {
        pages(0, 10, "llama");
        KvKey held = Tree.key(0, "llama", "v");
        CleaningReport report = budget(LLAMA, 10 * PAGE, new CleaningWatch() {
            @Override
            public boolean leased(KvKey key) {
                return key.equals(held);
            }
        });
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(1, report.leased());
        assertTrue(tree.has(0, "llama"));
        assertFalse(tree.has(1, "llama"));
        assertEquals(4, remaining(10, "llama"));
    }

    @Test
    void ifEverythingIsInUseItSaysSo() throws IOException {
        pages(0, 3, "llama");
        CleaningReport report = budget(LLAMA, PAGE, new CleaningWatch() {
            @Override
            public boolean leased(KvKey key) {
                return true;
            }
        });
        assertEquals(Outcome.EXHAUSTED, report.outcome());
        assertEquals(3, remaining(3, "llama"));
        assertTrue(report.warnings().get(0).contains("3 groups are in use"), report.warnings()::toString);
    }

    /** Whoever uses a page between the survey and its turn keeps it; what others delete counts as gone. */
    @Test
    void whatChangesDuringThePassIsRespected() throws IOException {
        pages(0, 10, "llama");
        List<KvKey> gone = new ArrayList<>();
        CleaningReport report = budget(LLAMA, 10 * PAGE, new CleaningWatch() {
            private final Set<String> hashes = new HashSet<>();

            @Override
            public boolean leased(KvKey key) {
                if (hashes.isEmpty()) {
                    try {
                        Path used = tree.root().resolve(Tree.name(Tree.key(0, "llama", "k")));
                        Tree.touch(used, now, now);
                        for (String part : List.of("k", "v")) {
                            Files.delete(tree.root().resolve(Tree.name(Tree.key(1, "llama", part))));
                        }
                        Files.delete(tree.root().resolve(Tree.name(Tree.key(2, "llama", "k"))));
                    } catch (IOException failed) {
                        throw new AssertionError(failed);
                    }
                }
                hashes.add(((PageKey) key).pageHash());
                return false;
            }

            @Override
            public void gone(KvKey key) {
                gone.add(key);
            }
        });
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(1, report.changed());
        assertTrue(tree.has(0, "llama"));
        assertEquals(0, report.failed());
        assertEquals(4, remaining(10, "llama"), "10 pages, 1 kept, 1 gone by itself, 5 to go below 50 %");
        assertEquals(gone.size(), report.deleted());
        assertEquals(2 * report.deletedGroups() - 1, report.deleted());
        assertFalse(gone.contains(Tree.key(2, "llama", "k")));
        assertTrue(gone.contains(Tree.key(2, "llama", "v")));
    }

    @Test
    void aDryRunDeletesNothingAndReckonsAlike() throws IOException {
        pages(0, 20, "llama");
        pages(100, 120, "llama-2");
        StoreSettings any = Tree.settings();
        CleaningTask task = new CleaningTask(
                List.of(tree.root()), Ownership.of(any, false), Tree.marks(80, 50, 40 * PAGE), true, true, 1 << 18);
        CleaningReport dry = new CleaningPass(task, ALONE).run();
        assertEquals(80, tree.files());
        CleaningReport real = budget(any, 40 * PAGE, ALONE);
        assertEquals(real.deleted(), dry.deleted());
        assertEquals(real.deletedBytes(), dry.deletedBytes());
        assertEquals(real.volumes(), dry.volumes());
        assertEquals(2, dry.models().size());
        ModelTally llama = dry.models().get(0);
        assertEquals("llama", llama.model());
        assertEquals(
                new ModelTally.Objects(40, 20 * PAGE, now - Tree.HOUR * 1000, now - Tree.HOUR * 981), llama.there());
        assertEquals(40, llama.going().count());
        ModelTally other = dry.models().get(1);
        assertEquals(2, other.going().count());
        assertEquals(0, remaining(20, "llama"));
    }

    @Test
    void aSampleIsCleanedInRounds() throws IOException {
        for (int page = 0; page < 300; page++) {
            tree.page(page, "llama", 100, now - Tree.HOUR * (1000 - page));
        }
        CleaningTask task = new CleaningTask(
                List.of(tree.root()), Ownership.of(LLAMA, false), Tree.marks(80, 50, 600 * 4096), false, false, 100);
        CleaningReport report = new CleaningPass(task, ALONE).run();
        assertEquals(Outcome.CLEANED, report.outcome());
        long left = remaining(300, "llama");
        assertTrue(left >= 140 && left < 150, left + " pages left");
        long oldHalf = remaining(150, "llama");
        assertTrue(oldHalf < left - oldHalf, oldHalf + " of the older half are left, of " + left);
    }

    @Test
    void stoppingEndsItEarly() throws IOException {
        pages(0, 10, "llama");
        CleaningReport report = budget(LLAMA, 1, new CleaningWatch() {
            private int gone;

            @Override
            public void gone(KvKey key) {
                gone++;
            }

            @Override
            public boolean stopped() {
                return gone >= 4;
            }
        });
        assertEquals(Outcome.STOPPED, report.outcome());
        assertEquals(8, remaining(10, "llama"));
    }

    @Test
    void aDirectoryReplacedByAFileIsSeen() throws IOException {
        pages(0, 2, "llama");
        Path file = Files.write(directory.resolve("file"), new byte[10]);
        CleaningReport report = Tree.clean(List.of(tree.root(), file), LLAMA, Tree.marks(80, 50, 1), ALONE);
        assertEquals(Outcome.CLEANED, report.outcome());
        assertEquals(1, report.unreadable());
        assertTrue(report.firstFailure().contains("NotDirectory"), report.firstFailure());
        assertArrayEquals(new byte[10], Files.readAllBytes(file));
        assertTrue(Files.exists(file, LinkOption.NOFOLLOW_LINKS));
    }
}
