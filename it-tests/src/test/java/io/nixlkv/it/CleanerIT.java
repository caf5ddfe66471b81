package io.nixlkv.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.PageKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cleaner of stores on the packed POSIX strategy, on file systems that really fill up. */
@Timeout(120)
@SuppressWarnings("try")
class CleanerIT {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(60));

    private static final int BYTES = 256 << 10;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    @AfterEach
    void close() {
        host.close();
    }

    private KvStore open(String top, String store) {
        return host.host().open(config(top, store));
    }

    private HostConfig config(String top, String store) {
        String toml = """
                use_direct_io = false
                %s
                [store]
                arena_gb = 0.0625
                %s
                [plugin.posix]
                active = true
                file_path = "%s"
                """.formatted(top, store, directory);
        return HostConfig.parse(toml, "test.toml", Map.of());
    }

    private static PageKey page(int number) {
        return new PageKey(String.format("%064x", 0x9e3779b9L * (number + 1)), "org/model", 0, 1, "");
    }

    private static Status put(KvStore store, int page) {
        return store.store(page(page), ByteBuffer.allocate(BYTES), CallOptions.DEFAULT)
                .status();
    }

    private static Status lookup(KvStore store, int page) {
        return store.lookup(List.of(page(page)), CallOptions.DEFAULT).get(0).status();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cleaner(KvStore store) {
        return (Map<String, Object>)
                assertInstanceOf(Map.class, store.status().details().get("cleaner"));
    }

    /** W01: with nothing written about the cleaner, a store of pages makes room; what does not fit fails cleanly and early. */
    @Test
    void aStoreOfPagesThatFillsItsFileSystemGoesOn() {
        try (Mount small = Mount.tmpfs(directory, "16m");
                KvStore store = open("", "layout = \"hicache\"\nmodel = \"org/model\"")) {
            Set<Status> seen = EnumSet.noneOf(Status.class);
            int stored = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            for (int page = 0; stored < 160; page++) {
                assertTrue(System.nanoTime() < end, () -> "no room was made: " + cleaner(store));
                Status status = put(store, page);
                seen.add(status);
                stored += status == Status.DONE ? 1 : 0;
                if (status == Status.NO_SPACE) {
                    assertEquals(Status.MISSING, lookup(store, page));
                    EVENTUALLY.until(() -> small.usedPercent() < 80);
                }
            }
            assertEquals(EnumSet.of(Status.DONE, Status.NO_SPACE), seen);
            assertEquals("yes", cleaner(store).get("leader"));
            // a pass is counted when it ends
            EVENTUALLY.until(() -> (long) cleaner(store).get("deleted_objects") >= 90);
            assertEquals(Status.MISSING, lookup(store, 0));
        }
    }

    /** W04. */
    @Test
    void aStoreThatIsOpenedFullIsCleanedWithoutAnyWrite() {
        String marks = "l3_cleaner_high_watermark = 60\nl3_cleaner_low_watermark = 50";
        try (Mount small = Mount.tmpfs(directory, "16m")) {
            try (KvStore store = open("l3_cleaner_enabled = false", "layout = \"hicache\"")) {
                for (int page = 0; page < 48; page++) {
                    assertEquals(Status.DONE, put(store, page));
                }
                assertEquals(
                        "off: l3_cleaner_enabled = false",
                        store.status().details().get("cleaner"));
            }
            assertTrue(small.usedPercent() > 70);
            try (KvStore store = open(marks, "layout = \"hicache\"\npresence_cache = true")) {
                EVENTUALLY.until(() -> (long) cleaner(store).getOrDefault("deleted_objects", 0L) > 0);
                assertTrue(small.usedPercent() < 50 && small.usedPercent() > 44, small.usedPercent() + " % used");
                assertEquals(Status.MISSING, lookup(store, 0));
                assertEquals(Status.DONE, lookup(store, 47));
            }
        }
    }

    /** A page that was just looked up is there when it is loaded, and what goes is forgotten by the presence cache. */
    @Test
    void whatWasJustLookedUpStays() {
        String budget = "l3_cleaner_capacity_gb = 0.00390625";
        try (KvStore store = open(budget, "layout = \"hicache\"\npresence_cache = true")) {
            for (int page = 0; page < 8; page++) {
                assertEquals(Status.DONE, put(store, page));
            }
            EVENTUALLY.until(
                    () -> cleaner(store).getOrDefault("last_outcome", "").equals("cool"));
        }
        try (KvStore store = open("l3_cleaner_enabled = false", "layout = \"hicache\"")) {
            for (int page = 8; page < 16; page++) {
                assertEquals(Status.DONE, put(store, page));
            }
        }
        try (KvStore store = open(budget, "layout = \"hicache\"\npresence_cache = true\nl1_align_bytes = 0")) {
            List<KvKey> held = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                held.add(page(page));
            }
            // whichever comes first, the cleaner or this lookup, nothing that it found goes
            var found = store.lookup(held, CallOptions.DEFAULT);
            EVENTUALLY.until(() -> (long) cleaner(store).get("deleted_objects") > 0);
            var after = store.lookup(held, CallOptions.DEFAULT);
            for (int i = 0; i < held.size(); i++) {
                if (found.get(i).status() == Status.DONE) {
                    assertEquals(Status.DONE, after.get(i).status());
                    ByteBuffer target = ByteBuffer.allocate(BYTES);
                    assertEquals(
                            Status.DONE,
                            store.load(held.get(i), target, CallOptions.DEFAULT).status());
                }
            }
        }
    }

    /** W11: readers, writers and two cleaners at once; a lost race is a miss. */
    @Test
    void lostRacesAreMisses() throws Exception {
        try (Mount small = Mount.tmpfs(directory, "16m");
                PackedHost otherHost = new PackedHost();
                KvStore store = open("", "layout = \"hicache\"");
                KvStore other = otherHost.host().open(config("", "layout = \"hicache\""))) {
            Set<String> unexpected = new java.util.TreeSet<>();
            ConcurrentLinkedQueue<Status> answers = new ConcurrentLinkedQueue<>();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
            List<CompletableFuture<Object>> working = new ArrayList<>();
            for (KvStore each : List.of(store, other)) {
                AtomicInteger latest = new AtomicInteger();
                working.add(Distribution.onItsOwn(() -> {
                    while (System.nanoTime() < end) {
                        answers.add(put(each, latest.get()));
                        latest.incrementAndGet();
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                    }
                    return null;
                }));
                working.add(Distribution.onItsOwn(() -> {
                    ByteBuffer target = ByteBuffer.allocate(BYTES);
                    for (int turn = 0; System.nanoTime() < end; turn++) {
                        // what was stored last, and what must have gone by now
                        int page = Math.max(0, latest.get() - (turn % 2 == 0 ? turn % 20 : 100));
                        answers.add(each.load(page(page), target, CallOptions.DEFAULT)
                                .status());
                    }
                    return null;
                }));
            }
            CompletableFuture.allOf(working.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            for (Status status : answers) {
                if (!EnumSet.of(Status.DONE, Status.MISSING, Status.NO_SPACE).contains(status)) {
                    unexpected.add(status.toString());
                }
            }
            assertEquals(Set.of(), unexpected);
            assertTrue(small.usedPercent() > 0);
            Map<String, Object> one = cleaner(store);
            Map<String, Object> two = cleaner(other);
            assertTrue((long) one.get("deleted_objects") + (long) two.get("deleted_objects") > 0, one + " " + two);
            assertTrue(!one.containsKey("last_failure") && !two.containsKey("last_failure"), one + " " + two);
            assertTrue(one.get("leader").equals("yes") != two.get("leader").equals("yes"), one + " " + two);
        }
    }

    @Test
    void theExampleOfTheDocumentHasACleaner() throws IOException {
        Matcher block = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/cleaner.md")));
        assertTrue(block.find());
        HostConfig config = HostConfig.parse(block.group(1).replace("/data/", directory + "/"), "cleaner.md", Map.of());
        assertEquals(List.of(), config.warnings());
        try (KvStore store = host.host().open(config)) {
            assertEquals("hicache, model org/model", cleaner(store).get("scope"));
        }
    }

    /** The answer and its reason for each kind of store. */
    @Test
    void whoHasACleaner() {
        Map<String, String> without = Map.of(
                "layout = \"lmcache\"",
                "off with layout lmcache unless l3_cleaner_enabled = true is written",
                "layout = \"raw\"",
                "off with layout raw unless l3_cleaner_enabled = true is written",
                "layout = \"hicache\"\ntp_rank = 1\ntp_size = 2",
                "off: this is rank 1, and rank 0 cleans",
                "layout = \"hicache\"\npool_size = 2\nslot_bytes = 4096",
                "not for a static pool: it has the size of its slots");
        without.forEach((lines, reason) -> {
            try (KvStore store = open("", lines)) {
                assertEquals(reason, store.status().details().get("cleaner"));
            }
        });
        for (String lines :
                List.of("layout = \"raw\"", "layout = \"lmcache\"", "layout = \"hicache\"\ntp_rank = 1\ntp_size = 2")) {
            try (KvStore store = open("l3_cleaner_enabled = true", lines)) {
                assertEquals(true, cleaner(store).get("enabled"));
            }
        }
        assertTrue(Files.isDirectory(directory));
    }
}
