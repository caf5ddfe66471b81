package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Carries out items that are slots of a pool. One thread. */
final class SlotItems {
    private final FileBackend backend;

    SlotItems(FileBackend backend) {
        this.backend = backend;
    }

    /** @throws ClosedChannelException if an interrupt cut it short; it may run again */
    void run(TransferBatch batch, int item, PendingSync pending) throws ClosedChannelException {
        int slot = batch.slot(item);
        int length = batch.length(item);
        String problem = problem(batch, item, slot, length);
        if (problem != null) {
            fail(batch, item, new FileFailure(Status.INVALID, 0, problem, ""), "cannot reach slot " + slot);
            return;
        }
        FileSlotPool pool = (FileSlotPool) batch.pool();
        PoolFile file = pool.file(batch.root(item), slot);
        if (file.isLost() && batch.op() == TransferBatch.Op.READ) {
            batch.complete(item, Status.MISSING, -1);
            return;
        }
        try {
            transfer(batch, item, file, pool.position(slot), pending);
        } catch (ClosedChannelException interrupted) {
            throw interrupted;
        } catch (IOException failed) {
            String doing = "cannot " + Evidence.verb(batch.op()) + " slot " + slot + " of " + file.path();
            fail(
                    batch,
                    item,
                    FileFailure.ofWriting(failed, file.path().getParent().toFile()),
                    doing);
        }
    }

    private void transfer(TransferBatch batch, int item, PoolFile file, long position, PendingSync pending)
            throws IOException {
        ByteBuffer slice = batch.slice(item);
        boolean write = batch.op() == TransferBatch.Op.WRITE;
        switch (write ? file.write(slice, position, batch.deadline()) : file.read(slice, position, batch.deadline())) {
            case EXPIRED -> batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed during the transfer");
            case TRUNCATED ->
                fail(
                        batch,
                        item,
                        new FileFailure(Status.FAILED, 0, "the pool file was cut short", "delete it to make it anew"),
                        "cannot read slot " + batch.slot(item) + " of " + file.path());
            case WHOLE -> {
                if (write && pending != null) {
                    pending.addSlot(file, item, slice.capacity());
                } else {
                    batch.complete(item, Status.DONE, slice.capacity());
                }
            }
        }
    }

    private String problem(TransferBatch batch, int item, int slot, int length) {
        if (!(batch.pool() instanceof FileSlotPool pool) || !pool.belongsTo(backend)) {
            return "the pool is not one of this store";
        }
        if (!pool.isOpen()) {
            return "the pool is closed";
        }
        if (batch.op() != TransferBatch.Op.WRITE && batch.op() != TransferBatch.Op.READ) {
            return "slots are only written and read, not " + batch.op();
        }
        if (batch.root(item) < 0 || batch.root(item) >= backend.roots()) {
            return "there is no directory number " + batch.root(item);
        }
        if (slot < 0 || slot >= pool.count() || length < 1 || length > pool.slotBytes()) {
            return "the pool has " + pool.count() + " slots of " + pool.slotBytes() + " bytes, asked were " + length;
        }
        return null;
    }

    private void fail(TransferBatch batch, int item, FileFailure failure, String doing) {
        backend.counters().failed();
        batch.fail(item, failure.status(), failure.errno(), failure.sentence(doing));
    }
}
