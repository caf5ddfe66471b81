package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.nio.ByteBuffer;

/**
 * A batch whose slices are memory of a device, for pure Java: it gets copies in host memory, and what it has read is copied back
 * before its item is done. One thread, one item at a time.
 */
public final class HostCopies implements TransferBatch {
    private final TransferBatch batch;
    private final MemoryArena arena;
    private ByteBuffer room = ByteBuffer.allocateDirect(0);
    private ByteBuffer slice;
    private int copied = -1;

    private HostCopies(TransferBatch batch, MemoryArena arena) {
        this.batch = batch;
        this.arena = arena;
    }

    /** The batch itself where its slices are host memory. */
    public static TransferBatch of(TransferBatch batch, MemoryArena arena) {
        return arena.kind() == Segment.DRAM_SEG ? batch : new HostCopies(batch, arena);
    }

    /** Aligned like the arena, so that direct I/O takes it. */
    @Override
    public ByteBuffer slice(int item) {
        int length = batch.length(item);
        if (room.capacity() < length) {
            // both ends are aligned
            room = ByteBuffer.allocateDirect(length + 2 * MemoryArena.ALIGNMENT).alignedSlice(MemoryArena.ALIGNMENT);
        }
        slice = room.slice(0, length);
        copied = item;
        if (batch.op() != Op.READ) {
            arena.copyOut(batch.segment(item), batch.offset(item), slice.duplicate());
        }
        return slice;
    }

    @Override
    public void complete(int item, Status status, long storedLength) {
        if (batch.op() == Op.READ && status == Status.DONE && copied == item) {
            try {
                arena.copyIn(
                        batch.segment(item),
                        batch.offset(item),
                        slice.duplicate().clear());
            } catch (RuntimeException refused) {
                batch.fail(
                        item, Status.FAILED, 0, "what was read cannot be put into its slice: " + refused.getMessage());
                return;
            }
        }
        batch.complete(item, status, storedLength);
    }

    @Override
    public void staged(int item, long token) {
        batch.staged(item, token);
    }

    @Override
    public void fail(int item, Status status, int code, String sentence) {
        batch.fail(item, status, code, sentence);
    }

    @Override
    public Op op() {
        return batch.op();
    }

    @Override
    public Mode mode() {
        return batch.mode();
    }

    @Override
    public boolean durable() {
        return batch.durable();
    }

    @Override
    public int size() {
        return batch.size();
    }

    @Override
    public long deadline() {
        return batch.deadline();
    }

    @Override
    public SlotPool pool() {
        return batch.pool();
    }

    @Override
    public int slot(int item) {
        return batch.slot(item);
    }

    @Override
    public int root(int item) {
        return batch.root(item);
    }

    @Override
    public String name(int item) {
        return batch.name(item);
    }

    @Override
    public int length(int item) {
        return batch.length(item);
    }

    @Override
    public int segment(int item) {
        return batch.segment(item);
    }

    @Override
    public int offset(int item) {
        return batch.offset(item);
    }

    @Override
    public long address(int item) {
        return batch.address(item);
    }

    @Override
    public long token(int item) {
        return batch.token(item);
    }

    @Override
    public ByteBuffer packed() {
        return batch.packed();
    }
}
