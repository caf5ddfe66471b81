package io.nixlkv.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackedBatchTest {
    private final MemoryArena arena = new DirectArena(1 << 20);

    private record Pool(int count, int slotBytes, long handle) implements SlotPool {
        @Override
        public void close() {}
    }

    /** An arena that knows its addresses. */
    private record Placed(long address, ByteBuffer memory) implements MemoryArena {
        @Override
        public int segments() {
            return 1;
        }

        @Override
        public ByteBuffer segment(int index) {
            return memory;
        }

        @Override
        public long address(int segment) {
            return address;
        }
    }

    @Test
    void theHeaderIsWhereNativeCodeReadsIt() {
        PackedBatch batch = new PackedBatch(arena, 5);
        batch.start(Op.DELETE, Mode.REPLACE, true, 0x1122334455667788L, new Pool(3, 4096, 0x99aabbccL));
        batch.addSlot(2, 0, 0, 0, 4096);
        ByteBuffer packed = batch.packed();
        assertTrue(packed.isDirect());
        assertEquals(ByteOrder.nativeOrder(), packed.order());
        assertEquals(0x4e4b5642, packed.getInt(0));
        assertEquals(1, packed.getInt(4));
        assertEquals(3, packed.getInt(8));
        assertEquals(1, packed.getInt(12));
        assertEquals(1, packed.getInt(16));
        assertEquals(1, packed.getInt(20));
        assertEquals(0x1122334455667788L, packed.getLong(24));
        assertEquals(0x99aabbccL, packed.getLong(32));
        assertEquals(64 + 5 * 48, packed.getInt(40));
        assertEquals(64 + 5 * 48, packed.getInt(44));
        assertEquals(2, packed.getLong(64 + 8));
        assertEquals(2, batch.slot(0));
    }

    @Test
    void anItemIsWhereNativeCodeReadsIt() {
        PackedBatch batch = new PackedBatch(new Placed(0x7000_0000_0000L, ByteBuffer.allocateDirect(8192)), 4);
        batch.start(Op.WRITE, Mode.CREATE, false, 5, null);
        batch.add("first", 0, 0, 0, 1);
        byte[] name = "..größe..".getBytes(StandardCharsets.UTF_8);
        batch.add(name, 2, name.length - 2, 7, 0, 4096, 100, 0x0102030405060708L);
        ByteBuffer packed = batch.packed();
        int at = 64 + 48;
        assertEquals(0x7000_0000_1000L, packed.getLong(at));
        assertEquals(0x0102030405060708L, packed.getLong(at + 8));
        assertEquals(4096, packed.getInt(at + 16));
        assertEquals(100, packed.getInt(at + 20));
        assertEquals(0, packed.getShort(at + 24));
        assertEquals(7, packed.getShort(at + 26));
        assertEquals(64 + 4 * 48 + 5, packed.getInt(at + 28));
        assertEquals(7, packed.getInt(at + 32));
        assertEquals(0, packed.getInt(at + 36));
        assertEquals(-1, packed.getLong(at + 40));
        assertEquals(64 + 4 * 48 + 12, packed.getInt(44));
        byte[] stored = new byte[7];
        packed.get(packed.getInt(at + 28), stored);
        assertEquals("größe", new String(stored, StandardCharsets.UTF_8));
        assertEquals("größe", batch.name(1));
        assertEquals(7, batch.root(1));
        assertEquals(0x7000_0000_1000L, batch.address(1));
        assertEquals(100, batch.slice(1).capacity());
        assertEquals(0x0102030405060708L, batch.token(1));
    }

    @Test
    void resultsThatNativeCodeWritesAreRead() {
        PackedBatch batch = new PackedBatch(arena, 2);
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 1);
        batch.packed().putLong(64 + 40, 4711).putInt(64 + 36, Status.DENIED.code() | 13 << 16);
        assertEquals(Status.DENIED, batch.status(0));
        assertEquals(13, batch.code(0));
        assertEquals(4711, batch.storedLength(0));
    }

    @Test
    void resultsThatJavaWritesAreWhereNativeCodeWouldWriteThem() {
        PackedBatch batch = new PackedBatch(arena, 2);
        batch.start(Op.WRITE, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 1);
        batch.add("b", 0, 0, 0, 9);
        assertNull(batch.status(0));
        batch.fail(0, Status.THROTTLED, 503, "slow down");
        assertEquals(9 | 503 << 16, batch.packed().getInt(64 + 36));
        assertEquals("slow down", batch.sentence(0));
        assertEquals(503, batch.code(0));
        batch.staged(1, 77);
        assertEquals(77, batch.packed().getLong(64 + 48 + 8));
        assertEquals(Status.DONE, batch.status(1));
        assertEquals(9, batch.storedLength(1));
        assertNull(batch.sentence(1));
    }

    @Test
    void errorNumbersUpToSixteenBitsSurvive() {
        PackedBatch batch = new PackedBatch(arena, 1);
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 1);
        batch.fail(0, Status.FAILED, 0xffff, "x");
        assertEquals(Status.FAILED, batch.status(0));
        assertEquals(0xffff, batch.code(0));
    }

    @Test
    void namesGrowBeyondTheFirstBuffer() {
        int items = 4097;
        PackedBatch batch = new PackedBatch(arena, items);
        batch.start(Op.QUERY, Mode.CREATE, false, 5, null);
        String tail = "n".repeat(900);
        for (int i = 0; i < items; i++) {
            batch.add(i + tail, 0, 0, 0, 0);
        }
        assertEquals(items, batch.size());
        for (int i = 0; i < items; i += 512) {
            assertEquals(i + tail, batch.name(i));
        }
        assertEquals(0, batch.packed().getInt(64 + 36));
        batch.complete(items - 1, Status.MISSING, -1);
        assertEquals(Status.MISSING, batch.status(items - 1));
    }

    @Test
    void anItemIsCompletedOnce() {
        PackedBatch batch = new PackedBatch(arena, 1);
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 1);
        batch.complete(0, Status.DONE, 1);
        assertThrows(IllegalStateException.class, () -> batch.complete(0, Status.DONE, 1));
        assertThrows(IllegalStateException.class, () -> batch.fail(0, Status.FAILED, 5, "late"));
        assertEquals(Status.DONE, batch.status(0));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.complete(1, Status.DONE, 1));
    }

    @Test
    void aLateSecondEndChangesNothing() {
        PackedBatch batch = new PackedBatch(arena, 1);
        batch.start(Op.STAGE, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 10);
        batch.staged(0, 42);
        assertThrows(IllegalStateException.class, () -> batch.staged(0, 43));
        assertThrows(IllegalStateException.class, () -> batch.complete(0, Status.DONE, 99));
        assertThrows(IllegalStateException.class, () -> batch.fail(0, Status.FAILED, 0, "late"));
        assertEquals(42, batch.token(0));
        assertEquals(10, batch.storedLength(0));
        assertNull(batch.sentence(0));
    }

    @Test
    void oneOfManyThreadsCompletesAnItem() throws InterruptedException {
        PackedBatch batch = new PackedBatch(arena, 1000);
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        IntStream.range(0, 1000).forEach(i -> batch.add("n" + i, 0, 0, 0, 1));
        AtomicInteger wins = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> IntStream.range(0, 1000).forEach(i -> {
                try {
                    batch.complete(i, Status.DONE, 1);
                    wins.incrementAndGet();
                } catch (IllegalStateException lost) {
                    assertEquals("item " + i + " completed twice", lost.getMessage());
                }
            }));
        }
        threads.shutdown();
        assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
        assertEquals(1000, wins.get());
    }

    @Test
    void aBatchHoldsItsCapacityAndNoMore() {
        assertThrows(IllegalArgumentException.class, () -> new PackedBatch(arena, 0));
        PackedBatch batch = new PackedBatch(arena, 2);
        assertEquals(2, batch.capacity());
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        batch.add("a", 0, 0, 0, 1);
        batch.add("b", 0, 0, 0, 1);
        assertThrows(IllegalStateException.class, () -> batch.add("c", 0, 0, 0, 1));
        assertEquals(2, batch.size());
    }

    @Test
    void aNewStartForgetsTheOldRequest() {
        PackedBatch batch = new PackedBatch(arena, 2);
        Pool pool = new Pool(1, 4096, 3);
        batch.start(Op.WRITE, Mode.REPLACE, true, 5, pool);
        batch.addSlot(0, 0, 0, 0, 1);
        batch.fail(0, Status.FAILED, 5, "bad");
        assertSame(pool, batch.pool());
        batch.start(Op.READ, Mode.CREATE, false, 6, null);
        assertEquals(0, batch.size());
        batch.add("x", 0, 0, 0, 1);
        assertNull(batch.status(0));
        assertNull(batch.sentence(0));
        assertNull(batch.pool());
        assertEquals(0, batch.packed().getLong(32));
        assertEquals("x", batch.name(0));
    }

    @Test
    void slicesOutsideTheArenaAreRefused() {
        PackedBatch batch = new PackedBatch(arena, 4);
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        int end = 1 << 20;
        batch.add("all", 0, 0, 0, end);
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, 0, 1, end));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, -1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, 0, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, 0, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 0, 0, Integer.MAX_VALUE, Integer.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", -1, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.add("a", 1 << 15, 0, 0, 1));
        assertEquals(1, batch.size());
    }

    @Test
    void slotsOutsideThePoolAreRefused() {
        PackedBatch batch = new PackedBatch(arena, 4);
        batch.start(Op.READ, Mode.CREATE, false, 5, new Pool(3, 4096, 0));
        assertThrows(IllegalArgumentException.class, () -> batch.addSlot(3, 0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.addSlot(-1, 0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> batch.addSlot(0, 0, 0, 0, 4097));
        batch.start(Op.READ, Mode.CREATE, false, 5, null);
        assertThrows(IllegalArgumentException.class, () -> batch.addSlot(0, 0, 0, 0, 1));
    }

    @Test
    void everyStatusHasItsNumber() {
        for (Status status : Status.values()) {
            assertEquals(status, Status.of(status.code()));
            assertEquals(status.ordinal() + 1, status.code());
        }
        assertThrows(IllegalArgumentException.class, () -> Status.of(0));
        assertThrows(IllegalArgumentException.class, () -> Status.of(13));
    }
}
