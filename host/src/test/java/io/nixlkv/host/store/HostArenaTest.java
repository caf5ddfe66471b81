package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
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
        KvSlice slice = lease.slice(100, 10);
        arena.hold(slice.segment(), slice.offset());
        arena.hold(slice.segment(), slice.offset());
        lease.close();
        assertNotEquals(
                lease.slice().offset(), arena.lease(4096, Duration.ZERO).slice().offset());
        arena.letGo(slice.segment(), slice.offset());
        assertEquals(8 * 4096, arena.freeBytes());
        arena.letGo(slice.segment(), slice.offset());
        assertEquals(9 * 4096, arena.freeBytes());
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
}
