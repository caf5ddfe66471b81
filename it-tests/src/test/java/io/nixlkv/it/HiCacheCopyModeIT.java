package io.nixlkv.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.MarkerPool;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.hicache.HostRegistration;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.spi.Status;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages through bounce memory and in place, with direct I/O, of every size, in batches of every length. */
@Timeout(60)
class HiCacheCopyModeIT {
    @TempDir
    Path directory;

    private static StridedPool copied(int pages, int pageBytes) {
        return new StridedPool(
                "layer_first",
                pages,
                List.of(new StridedPool.Run(ByteBuffer.allocate(pages * pageBytes), 0, pageBytes, pageBytes)));
    }

    private static void roundTrip(HiCacheRig rig, HostPool pool) {
        List<String> hashes = HiCacheRig.hashes(pool.pages());
        int[] pages = HiCacheRig.pages(pool.pages());
        HiCacheRig.fill(pool);
        BatchResult stored = rig.view.batchSetV1(hashes, pages);
        assertTrue(stored.allOk() && stored.size() == pages.length, stored::toString);
        assertEquals(pages.length, rig.view.batchExists(hashes));
        HiCacheRig.wipe(pool);
        BatchResult loaded = rig.view.batchGetV1(hashes, pages);
        assertTrue(loaded.allOk() && loaded.size() == pages.length, loaded::toString);
        assertTrue(HiCacheRig.holds(pool));
    }

    private static long counter(HiCacheRig rig, String name) {
        return ((Map<?, ?>) rig.store.status().details().get("counters"))
                .entrySet().stream()
                        .filter(entry -> entry.getKey().toString().contains(name))
                        .mapToLong(entry -> ((Number) entry.getValue()).longValue())
                        .sum();
    }

    /** SGLang's own connector fails with page sizes that are not multiples of 512, and calls them present. */
    @ParameterizedTest
    @ValueSource(ints = {1, 512, 2304, 4000, 4096, 100_001})
    void everyPageSizeWorksUnderDirectIo(int bytes) {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, true)) {
            roundTrip(rig, copied(5, bytes));
            assertEquals(5, rig.files().size());
        }
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, true);
                ArenaPool pool = rig.pool(5, bytes)) {
            roundTrip(rig, pool);
            assertEquals(15, rig.files().size());
        }
    }

    private static void roundTrip(HiCacheRig rig, StridedPool pool) {
        try (PoolRegistration registration = rig.view.register(pool)) {
            assertFalse(registration.zeroCopy());
            roundTrip(rig, (HostPool) pool);
        }
    }

    private static void roundTrip(HiCacheRig rig, ArenaPool pool) {
        try (PoolRegistration registration = rig.view.register(pool)) {
            assertTrue(registration.zeroCopy());
            roundTrip(rig, (HostPool) pool);
        }
    }

    @Test
    void alignedPagesAreTransferredDirectly() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, true)) {
            long before = counter(rig, "direct");
            roundTrip(rig, copied(4, 8192));
            assertTrue(
                    counter(rig, "direct") >= before + 8,
                    () -> rig.store.status().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128, 129, 300})
    void batchesOfAnyLengthAreCompleted(int pages) {
        HiCacheOptions few = HiCacheOptions.DEFAULT.withBouncePages(3);
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, false, few, "")) {
            roundTrip(rig, copied(pages, 64));
        }
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA);
                ArenaPool pool = rig.pool(pages, 64)) {
            roundTrip(rig, pool);
        }
    }

    /** Two threads that need each other's bounce memory do not wait for each other. */
    @Test
    void transfersShareFewBouncePages() {
        HiCacheOptions one = HiCacheOptions.DEFAULT.withBouncePages(1);
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, false, one, "")) {
            StridedPool pool = copied(120, 512);
            rig.view.register(pool);
            HiCacheRig.fill(pool);
            List<String> hashes = HiCacheRig.hashes(120);
            List<CompletableFuture<BatchResult>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int from = i * 30;
                int[] pages = IntStream.range(from, from + 30).toArray();
                running.add(HiCacheRig.start(() -> rig.view.batchSetV1(hashes.subList(from, from + 30), pages)));
            }
            running.forEach(call -> assertTrue(call.join().allOk()));
            assertEquals(120, rig.view.batchExists(hashes));
        }
    }

    @Test
    void withoutBounceMemoryInTimePagesAreAnswered() {
        HiCacheOptions options = HiCacheOptions.DEFAULT.withBouncePages(1).with(Duration.ofMillis(50));
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MHA, false, options, "")) {
            var host = (HostRegistration) rig.view.register(copied(3, 512));
            var held = host.storage(Direction.STORE, HiCacheRig.hashes(1), new int[] {0}, 0, 1, System.nanoTime())
                    .orElseThrow();
            BatchResult late = rig.view.batchSetV1(HiCacheRig.hashes(3), 0, 1, 2);
            assertEquals(3, late.count(Status.NO_SPACE));
            assertTrue(late.get(2).reason().contains("bounce"), late.get(2).reason());
            held.close();
            // each try has the same short deadline, which a busy machine may miss
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            rig.view.batchSetV1(HiCacheRig.hashes(3), 0, 1, 2).allOk());
        }
    }

    /** DeepSeek V4's KV pool has no bytes; a marker for each page says that it was stored. */
    @Test
    void pagesWithoutBytesAreMarkers() {
        try (HiCacheRig rig = new HiCacheRig(directory, HiCacheRig.MLA, true)) {
            rig.view.register(new MarkerPool(2, 4096));
            assertTrue(rig.view.batchSetV1(HiCacheRig.hashes(2), 0, 1).allOk());
            assertEquals(2, rig.view.batchExists(HiCacheRig.hashes(3)));
            assertTrue(rig.view.batchGetV1(HiCacheRig.hashes(2), 0, 1).allOk());
            assertTrue(rig.names().contains(HiCacheRig.hash(0) + "_org-mla"));
            assertEquals(4096, rig.files().get(0).toFile().length());
        }
    }
}
