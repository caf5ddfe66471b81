package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StoreContenderTest {
    private static final Setting SETTING = new Setting(new Workload(5, 1000), IoMode.BUFFERED);

    private final HeapStore store = new HeapStore(5000);

    private StoreContender open() {
        return new StoreContender("nixlkv:auto", "1", store, SETTING);
    }

    @Test
    void storesLoadsVerifiesAndDropsUnderFreshKeys() {
        try (StoreContender ours = open()) {
            assertEquals(new Contender.Identity("nixlkv:auto (map)", "1", 3), ours.identity());
            assertTrue(ours.store(1) > 0);
            assertTrue(ours.store(2) > 0);
            assertEquals(10, store.objects.size());
            assertTrue(store.objects.values().stream().allMatch(value -> value.length == 1000));
            assertTrue(ours.load(1) > 0);
            ours.verify(2);
            ours.drop(1);
            ours.drop(2);
            assertTrue(store.objects.isEmpty());
        }
        assertTrue(store.closed());
        assertFalse(store.leased());
    }

    @Test
    void workThatWasNotDoneIsNoFigure() {
        try (StoreContender ours = open()) {
            ours.store(1);
            assertEquals(
                    "nixlkv:auto (map): store of object 0 ended with ALREADY_PRESENT",
                    assertThrows(ContenderException.class, () -> ours.store(1)).getMessage());
            assertEquals(
                    "nixlkv:auto (map): load of object 0 ended with MISSING",
                    assertThrows(ContenderException.class, () -> ours.load(2)).getMessage());
        }
    }

    @Test
    void oneWrongByteIsFound() {
        try (StoreContender ours = open()) {
            ours.store(1);
            store.objects.values().forEach(value -> value[999]++);
            assertEquals(
                    "nixlkv:auto (map): byte 999 of object 0 is wrong after a load",
                    assertThrows(ContenderException.class, () -> ours.verify(1)).getMessage());
        }
    }

    @Test
    void aStoreThatFallsBackToThePageCacheIsNoDirectOne() {
        store.counters.put("transfers_buffered", 1L);
        Setting direct = new Setting(SETTING.workload(), IoMode.DIRECT);
        try (StoreContender ours = new StoreContender("nixlkv:uring", "1", store, direct)) {
            ours.store(1);
            assertEquals(
                    "nixlkv:uring: direct I/O does not work in this directory; transfers went through the page cache",
                    assertThrows(ContenderException.class, () -> ours.verify(1)).getMessage());
            store.counters.clear();
            ours.verify(1);
        }
    }

    @Test
    void anArenaThatIsTooSmallClosesTheStore() {
        HeapStore small = new HeapStore(4999);
        ContenderException refused =
                assertThrows(ContenderException.class, () -> new StoreContender("nixlkv:auto", "1", small, SETTING));
        assertEquals("nixlkv:auto cannot hold the batch: the arena has 4999 bytes", refused.getMessage());
        assertTrue(small.closed());
    }
}
