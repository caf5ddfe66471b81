package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Memory that the application chose in its own arena, by place and by address. */
class ChosenPlacesTest {
    private static final int UNIT = 4096;
    private final HostArena arena = new HostArena(new DirectArena(10 * UNIT), UNIT);

    private static Status refused(Executable call) {
        return assertThrows(StorageException.class, call).status();
    }

    @Test
    void aPlaceIsLentOnce() {
        try (ArenaLease middle = arena.lease(new KvSlice(0, 3 * UNIT, 2 * UNIT - 1))) {
            assertEquals(new KvSlice(0, 3 * UNIT, 2 * UNIT - 1), middle.slice());
            assertEquals(8 * UNIT, arena.freeBytes());
            for (KvSlice overlapping : List.of(
                    new KvSlice(0, 3 * UNIT, 1), new KvSlice(0, 4 * UNIT, 1), new KvSlice(0, 2 * UNIT, UNIT + 1))) {
                assertEquals(Status.NO_SPACE, refused(() -> arena.lease(overlapping)));
            }
            arena.lease(new KvSlice(0, 2 * UNIT, UNIT)).close();
            assertEquals(5 * UNIT, arena.lease(5 * UNIT, Duration.ZERO).slice().offset(), "the rest goes to others");
        }
    }

    @Test
    void wrongPlacesAreRefused() {
        assertEquals(Status.INVALID, refused(() -> arena.lease(new KvSlice(0, 1, 1))));
        assertEquals(Status.INVALID, refused(() -> arena.lease(new KvSlice(0, 0, 0))));
        assertEquals(Status.INVALID, refused(() -> arena.lease(new KvSlice(0, 0, 11 * UNIT))));
        assertEquals(Status.INVALID, refused(() -> arena.lease(new KvSlice(1, 0, 1))));
        assertEquals(Status.INVALID, refused(() -> arena.lease(new KvSlice(0, -UNIT, 1))));
        assertEquals(10 * UNIT, arena.freeBytes());
    }

    @Test
    void placesAndSizesShareTheArena() {
        Random random = new Random(3);
        List<ArenaLease> open = new ArrayList<>();
        long taken = 0;
        for (int round = 0; round < 10_000; round++) {
            if (random.nextBoolean() && !open.isEmpty()) {
                ArenaLease lease = open.remove(random.nextInt(open.size()));
                taken -= units(lease);
                lease.close();
            } else {
                try {
                    int bytes = 1 + random.nextInt(2 * UNIT);
                    ArenaLease lease = random.nextBoolean()
                            ? arena.lease(bytes, Duration.ZERO)
                            : arena.lease(new KvSlice(0, random.nextInt(8) * UNIT, bytes));
                    taken += units(lease);
                    open.add(lease);
                } catch (StorageException full) {
                    assertEquals(Status.NO_SPACE, full.status());
                }
            }
            assertEquals((10 - taken) * UNIT, arena.freeBytes());
        }
        open.forEach(ArenaLease::close);
        arena.lease(10 * UNIT, Duration.ZERO).close();
    }

    private static long units(ArenaLease lease) {
        return (lease.slice().length() + UNIT - 1) / UNIT;
    }

    @Test
    void addressesAreSlices() {
        HostArena addressed = new HostArena(
                new MemoryArena() {
                    private final DirectArena memory = new DirectArena(UNIT);

                    @Override
                    public int segments() {
                        return 2;
                    }

                    @Override
                    public ByteBuffer segment(int index) {
                        return memory.segment(0);
                    }

                    @Override
                    public long address(int segment) {
                        return segment == 0 ? 0x7000_0000_0000L : 0x7100_0000_0000L;
                    }
                },
                UNIT);
        assertEquals(new KvSlice(0, 100, 50), addressed.slice(0x7000_0000_0000L + 100, 50));
        assertEquals(new KvSlice(1, 0, UNIT), addressed.slice(0x7100_0000_0000L, UNIT));
        assertEquals(Status.INVALID, refused(() -> addressed.slice(0x7100_0000_0000L, UNIT + 1)));
        assertEquals(Status.INVALID, refused(() -> addressed.slice(0x7000_0000_0000L - 1, 1)));
        assertEquals(Status.UNSUPPORTED, refused(() -> arena.slice(0x7000_0000_0000L, 1)));
    }
}
