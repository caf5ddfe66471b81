package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostArenaTest {
    private final HostArena arena = new HostArena(new DirectArena(10 * 4096), 4096);

    @Test
    void leasesAreAlignedDisjointAndGivenBack() {
        Random random = new Random(7);
        List<ArenaLease> open = new ArrayList<>();
        for (int round = 0; round < 10_000; round++) {
            if (random.nextBoolean() && !open.isEmpty()) {
                open.remove(random.nextInt(open.size())).close();
            } else {
                try {
                    ArenaLease lease = arena.lease(1 + random.nextInt(3 * 4096), Duration.ZERO);
                    assertEquals(0, lease.slice().offset() % 4096);
                    for (ArenaLease other : open) {
                        assertTrue(disjoint(lease.slice(), other.slice()), lease.slice() + " and " + other.slice());
                    }
                    open.add(lease);
                } catch (StorageException full) {
                    assertEquals(Status.NO_SPACE, full.status());
                }
            }
        }
        open.forEach(ArenaLease::close);
        assertEquals(10 * 4096, arena.freeBytes());
        arena.lease(10 * 4096, Duration.ZERO).close();
    }

    private static boolean disjoint(KvSlice a, KvSlice b) {
        return a.offset() + a.length() <= b.offset() || b.offset() + b.length() <= a.offset();
    }

    @Test
    void closingTwiceGivesBackOnce() {
        ArenaLease lease = arena.lease(4096, Duration.ZERO);
        lease.close();
        lease.close();
        assertEquals(10 * 4096, arena.freeBytes());
    }

    @Test
    void refusesWhatNeverFitsAtOnce() {
        assertEquals(Status.INVALID, refusal(10 * 4096 + 1));
        assertEquals(Status.INVALID, refusal(0));
    }

    @Test
    void waitsForOthers() throws InterruptedException {
        ArenaLease all = arena.lease(10 * 4096, Duration.ZERO);
        assertEquals(Status.NO_SPACE, refusal(1));
        Thread giver = new Thread(all::close);
        giver.start();
        arena.lease(1, Duration.ofSeconds(20)).close();
        giver.join();
    }

    @Test
    void heldMemoryOutlivesItsLease() {
        ArenaLease lease = arena.lease(4096, Duration.ZERO);
        ArenaLease other = arena.lease(4096, Duration.ZERO);
        List<Tile> tiles = tiles(Op.WRITE, lease.slice(100, 10), lease.slice(200, 10), other.slice(0, 10));
        arena.hold(tiles);
        lease.close();
        other.close();
        assertEquals(8 * 4096, arena.freeBytes());
        assertEquals(
                2 * 4096, arena.lease(4096, Duration.ZERO).slice().offset(), "neither lease's memory is lent again");
        tiles.get(0).letGo();
        assertEquals(7 * 4096, arena.freeBytes(), "another tile still uses the first lease");
        tiles.get(1).letGo();
        assertEquals(8 * 4096, arena.freeBytes());
        tiles.get(2).letGo();
        assertEquals(9 * 4096, arena.freeBytes());
    }

    @Test
    void callsWithoutBytesHoldNothing() {
        ArenaLease lease = arena.lease(4096, Duration.ZERO);
        arena.hold(tiles(Op.QUERY, new KvSlice(0, 0, 0)));
        lease.close();
        assertEquals(10 * 4096, arena.freeBytes());
    }

    /** A tile for each slice. */
    private static List<Tile> tiles(Op op, KvSlice... slices) {
        int[] ends = new int[slices.length];
        Call call = new Call(op, Mode.CREATE, false, 0, new byte[0], ends, new int[slices.length], done -> {});
        for (int i = 0; i < slices.length; i++) {
            call.slice(i, slices[i].segment(), slices[i].offset(), slices[i].length());
        }
        return call.cut(slices.length, 1);
    }

    @Test
    void viewsAreChecked() {
        assertEquals(10, arena.buffer(new KvSlice(0, 5, 10)).remaining());
        for (KvSlice bad : List.of(
                new KvSlice(1, 0, 1), new KvSlice(-1, 0, 1), new KvSlice(0, -1, 1), new KvSlice(0, 10 * 4096, 1))) {
            assertThrows(StorageException.class, () -> arena.buffer(bad));
        }
    }

    private Status refusal(int bytes) {
        return assertThrows(StorageException.class, () -> arena.lease(bytes, Duration.ZERO))
                .status();
    }

    /** What a cache keeps may be in use when it is asked, and free a moment later; nobody tells. */
    @Test
    void memoryThatCanBeGivenBackLaterIsAskedForAgain() {
        ArenaLease kept = arena.lease(10 * 4096, Duration.ZERO);
        long free = System.nanoTime() + Duration.ofMillis(200).toNanos();
        arena.reclaimFrom(wanted -> {
            boolean now = System.nanoTime() - free > 0;
            if (now) {
                kept.close();
            }
            return now;
        });
        long start = System.nanoTime();
        arena.lease(4096, Duration.ofSeconds(20)).close();
        assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos(), "the whole patience was spent");
        arena.reclaimFrom(wanted -> false);
        try (ArenaLease all = arena.lease(10 * 4096, Duration.ZERO)) {
            long waiting = System.nanoTime();
            assertThrows(StorageException.class, () -> arena.lease(1, Duration.ofMillis(150)));
            assertTrue(System.nanoTime() - waiting >= Duration.ofMillis(150).toNanos(), "patience was cut short");
            assertEquals(10 * 4096, all.slice().length());
        }
    }
}
