package io.nixlkv.host.cleaner;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.host.config.StoreSettings;
import io.nixlkv.plugin.support.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cleaner's thread, alone and beside another process. */
@Timeout(60)
class CleanerTest {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(40));

    private static final StoreSettings LLAMA = Tree.settings("model = \"llama\"");

    @TempDir
    Path directory;

    private Tree tree;

    @BeforeEach
    void pages() throws IOException {
        tree = new Tree(directory.resolve("kv"));
        fill();
    }

    private void fill() throws IOException {
        for (int page = 0; page < 10; page++) {
            tree.page(page, "llama", 4096, System.currentTimeMillis() - Tree.HOUR * (1000 - page));
        }
    }

    /** With a budget of 80 KiB, which 10 pages fill. */
    static Cleaner cleaner(Path directory, LongConsumer sweep, Duration delay) {
        return new Cleaner(
                List.of(directory),
                Ownership.of(LLAMA, false),
                Tree.marks(80, 50, 80 << 10),
                Ownership.scope(LLAMA),
                sweep,
                delay,
                new Cleaner.Pace(Duration.ofMillis(200), Duration.ofMillis(500), Duration.ofSeconds(1)));
    }

    private static long number(Cleaner cleaner, String field) {
        return (long) cleaner.describe().getOrDefault(field, 0L);
    }

    @Test
    void aStoreThatOpensFullIsCleanedAtOnce() throws IOException {
        try (Cleaner cleaner = cleaner(tree.root(), deadline -> {}, Duration.ZERO)) {
            AtomicInteger gone = new AtomicInteger();
            cleaner.start(key -> false, key -> gone.incrementAndGet());
            EVENTUALLY.until(() -> number(cleaner, "deleted_objects") == 12);
            assertEquals("yes", cleaner.describe().get("leader"));
            assertEquals(12 * 4096, number(cleaner, "deleted_bytes"));
            assertEquals(12, gone.get());
            assertEquals("40.0 %", cleaner.describe().get("used[l3_cleaner_capacity_gb]"));
            assertEquals("hicache, model llama", cleaner.describe().get("scope"));
        }
    }

    /** W06. */
    @Test
    void whateverAPassThrowsTheNextOneComes() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (Cleaner cleaner = cleaner(tree.root(), deadline -> {}, Duration.ZERO)) {
            cleaner.start(
                    key -> {
                        if (asked.incrementAndGet() <= 1) {
                            throw new AssertionError("by the test");
                        } else if (asked.get() <= 2) {
                            throw new IllegalStateException("by the test");
                        }
                        return false;
                    },
                    key -> {});
            EVENTUALLY.until(() -> cleaner.describe()
                    .getOrDefault("last_failure", "")
                    .equals("java.lang.AssertionError: by the test"));
            EVENTUALLY.until(() -> {
                cleaner.hurry();
                return number(cleaner, "deleted_objects") == 12;
            });
        }
    }

    @Test
    void aFullFileSystemHurriesIt() {
        try (Cleaner cleaner = cleaner(tree.root(), deadline -> {}, Duration.ofMinutes(10))) {
            cleaner.start(key -> false, key -> {});
            assertEquals(0, number(cleaner, "passes"));
            cleaner.hurry();
            EVENTUALLY.until(() -> number(cleaner, "deleted_objects") == 12);
        }
    }

    @Test
    void twoStoresOfOneProcessHaveOneLeaderAndItsCloseMakesTheOtherOne() throws IOException {
        try (Cleaner second = cleaner(tree.root(), deadline -> {}, Duration.ZERO)) {
            try (Cleaner first = cleaner(tree.root(), deadline -> {}, Duration.ZERO)) {
                first.start(key -> false, key -> {});
                EVENTUALLY.until(() -> first.describe().get("leader").equals("yes"));
                second.start(key -> false, key -> {});
                EVENTUALLY.until(() -> second.describe()
                        .get("leader")
                        .equals("no: " + tree.root() + " is led by another store of this process"));
            }
            second.hurry();
            EVENTUALLY.until(() -> second.describe().get("leader").equals("yes"));
        }
    }

    /** Another model of the same tree needs a cleaner of its own. */
    @Test
    void eachModelHasItsLeader() throws IOException {
        StoreSettings other = Tree.settings("model = \"llama-2\"");
        try (LeaderLock one = new LeaderLock(List.of(tree.root()), Ownership.scope(LLAMA));
                LeaderLock two = new LeaderLock(List.of(tree.root()), Ownership.scope(other))) {
            assertEquals(List.of(tree.root()), one.renew());
            assertEquals(List.of(tree.root()), two.renew());
            assertEquals(List.of(tree.root()), one.renew());
        }
    }

    @Test
    void aKilledLeaderIsFollowedByTheNext() throws Exception {
        try (ChildJvm child = CleanerChild.start(List.of(), "lead", tree.root());
                Cleaner cleaner = cleaner(tree.root(), deadline -> {}, Duration.ZERO)) {
            assertEquals("leads", child.line());
            cleaner.start(key -> false, key -> {});
            EVENTUALLY.until(() -> cleaner.describe()
                    .get("leader")
                    .equals("no: " + tree.root() + " is led by process " + child.pid() + " (hicache, model llama)"));
            EVENTUALLY.until(() -> remaining() == 4);
            fill();
            child.kill();
            EVENTUALLY.until(() -> number(cleaner, "deleted_objects") == 12);
            assertEquals("yes", cleaner.describe().get("leader"));
        }
    }

    private long remaining() {
        long there = 0;
        for (int page = 0; page < 10; page++) {
            there += Files.exists(tree.root().resolve(Tree.name(Tree.key(page, "llama", "k")))) ? 1 : 0;
        }
        return there;
    }

    @Test
    void theLockFileMayBeRemoved() throws IOException {
        try (LeaderLock lock = new LeaderLock(List.of(tree.root()), "scope");
                LeaderLock other = new LeaderLock(List.of(tree.root()), "scope")) {
            assertEquals(List.of(tree.root()), lock.renew());
            try (var files = Files.list(tree.root().resolve(".nixlkv"))) {
                Files.delete(files.findFirst().orElseThrow());
            }
            assertEquals(List.of(tree.root()), lock.renew());
            assertEquals(List.of(), other.renew());
        }
    }

    @Test
    void aFullFileSystemNeedsNoLock() throws IOException {
        Files.write(directory.resolve("file"), new byte[1]);
        try (LeaderLock lock = new LeaderLock(List.of(directory.resolve("file")), "scope")) {
            assertEquals(1, lock.renew().size());
            assertTrue(lock.state().startsWith("yes, without a lock: "), lock.state());
        }
    }

    @Test
    void itSweepsOnceAMinuteNotBefore() throws IOException {
        AtomicInteger sweeps = new AtomicInteger();
        try (Cleaner cleaner = cleaner(tree.root(), deadline -> sweeps.incrementAndGet(), Duration.ZERO)) {
            cleaner.start(key -> false, key -> {});
            EVENTUALLY.until(() -> number(cleaner, "passes") >= 1);
        }
        assertEquals(0, sweeps.get(), "opening the store has just swept");
    }

    @Test
    void closeIsBoundedEvenIfAPassHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Cleaner cleaner = cleaner(tree.root(), deadline -> {}, Duration.ZERO);
        cleaner.start(
                key -> {
                    hangs.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return false;
                },
                key -> {});
        assertTrue(hangs.await(20, TimeUnit.SECONDS));
        long start = System.nanoTime();
        cleaner.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        end.countDown();
        assertTrue(millis >= 900 && millis < 5000, millis + " ms");
    }

    /** Root may read everything, so the pass is made by a root without that right. */
    @Test
    void aFolderThatCannotBeReadCostsOnlyItself() throws Exception {
        String name = Tree.name(Tree.key(3, "llama", "k"));
        Path bucket = tree.root().resolve(name).getParent();
        long there;
        try (var files = Files.list(bucket)) {
            there = files.count();
        }
        Files.setPosixFilePermissions(bucket, Set.of());
        String rights = "-dac_override,-dac_read_search";
        List<String> restrained = List.of("setpriv", "--inh-caps=" + rights, "--bounding-set=" + rights);
        try (ChildJvm child = CleanerChild.start(restrained, "pass", tree.root())) {
            String line = child.line();
            assumeTrue(line != null, "needs setpriv");
            assertTrue(line.startsWith("CLEANED deleted " + (20 - there) + " unreadable 1 failed 0: "), line);
            assertTrue(line.contains(bucket.getFileName() + ": java.nio.file.AccessDeniedException"), line);
        } finally {
            Files.setPosixFilePermissions(bucket, PosixFilePermissions.fromString("rwxr-x---"));
        }
        assertTrue(Files.exists(tree.root().resolve(name)));
    }
}
