package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Bounce memory of a HiCache view that a stuck lane may still read is not filled with another page. */
class BounceUnderStuckLaneTest {
    private static final String SLOW = "0".repeat(64);
    private static final String NEXT = "1".repeat(64);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final CountDownLatch gate = new CountDownLatch(1);

    private DynamicStore open() {
        StoreSpec raw = Stores.spec(ScriptedBackend.offer(100), 1, false, LengthRule.EXACT);
        return new DynamicStore(
                new StoreSpec(
                        raw.strategy(),
                        raw.place(),
                        raw.engine(),
                        Layouts.of(HostConfig.parse("[store]\nlayout = \"hicache\"", "test", Map.of())
                                .store()),
                        raw.lengths(),
                        raw.workers(),
                        raw.arenaAlignment(),
                        raw.deadline(),
                        Mode.REPLACE,
                        Atomicity.PER_OBJECT,
                        false,
                        false,
                        0,
                        Map.of("layout", "hicache")),
                backend,
                new DirectArena(1 << 20));
    }

    private void hangOnSlowWrites() {
        backend.before(batch -> {
            if (batch.op() == Op.WRITE && batch.name(0).contains(SLOW)) {
                try {
                    assertTrue(gate.await(30, TimeUnit.SECONDS));
                } catch (InterruptedException never) {
                    throw new AssertionError(never);
                }
            }
        });
    }

    @Test
    void aPageThatTimedOutIsWrittenAsItWasOrNotAtAll() throws InterruptedException {
        hangOnSlowWrites();
        byte[] pages = new byte[2 * 100];
        Arrays.fill(pages, 0, 100, (byte) 7);
        Arrays.fill(pages, 100, 200, (byte) 8);
        StridedPool pool =
                new StridedPool("layer_first", 2, List.of(new StridedPool.Run(ByteBuffer.wrap(pages), 0, 100, 100)));
        HiCacheOptions options = HiCacheOptions.DEFAULT.withBouncePages(1).with(Duration.ofMillis(200));
        try (DynamicStore store = open()) {
            long free = store.arena().freeBytes();
            try (HiCache view = HiCacheView.over(store, HiCacheIdentity.of("m"), options)) {
                view.register(pool);
                assertEquals(
                        Status.TIMED_OUT,
                        view.batchSetV1(List.of(SLOW), 0).get(0).status());
                assertTrue(view.batchSetV1(List.of(NEXT), 1).allOk(), "the only bounce page was replaced");
                gate.countDown();
                for (int i = 0; i < 500 && backend.objects.size() < 2; i++) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                backend.objects.forEach((name, value) -> {
                    byte expected = (byte) (name.contains(SLOW) ? 7 : 8);
                    for (byte each : value) {
                        assertEquals(expected, each, name);
                    }
                });
                assertFalse(backend.objects.isEmpty());
            }
            for (int i = 0; i < 500 && store.arena().freeBytes() < free; i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertEquals(free, store.arena().freeBytes());
        }
    }
}
