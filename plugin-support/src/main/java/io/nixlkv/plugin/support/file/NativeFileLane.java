package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.TransferLane;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;

/** Hands a batch down in one call; finishes and explains what comes back as remarks. */
final class NativeFileLane implements Lane {
    private final FileBackend backend;
    private final TransferLane lane;
    private final FileLane java;
    private final NativeExplanation explanation;
    private volatile boolean closed;

    NativeFileLane(FileBackend backend, TransferLane lane) {
        this.backend = backend;
        this.lane = lane;
        java = new FileLane(backend);
        explanation = new NativeExplanation(backend);
    }

    @Override
    public void execute(TransferBatch batch) {
        boolean foreignPool = batch.pool() != null && batch.pool().handle() == 0;
        if (foreignPool || closed || !backend.active().enter()) {
            // says for each item why it is refused
            java.execute(batch);
            return;
        }
        InterruptShield shield = new InterruptShield();
        shield.raise();
        try {
            int remarks = lane.execute(batch.packed(), batch.deadline() - System.nanoTime());
            backend.counters().add(lane.direct(), lane.buffered(), lane.bytesRead(), lane.bytesWritten());
            if (remarks > 0) {
                finish(batch, remarks, shield);
            }
        } finally {
            backend.active().leave();
            shield.lower();
        }
    }

    private void finish(TransferBatch batch, int remarks, InterruptShield shield) {
        PendingSync pending = batch.durable() ? new PendingSync() : null;
        for (int remark = 0; remark < remarks; remark++) {
            int item = lane.item(remark);
            switch (lane.kind(remark)) {
                case TransferLane.IN_JAVA -> java.run(batch, item, pending, shield);
                case TransferLane.SYNC_DONE -> add(pending, batch, item, Status.DONE);
                case TransferLane.SYNC_PRESENT -> add(pending, batch, item, Status.ALREADY_PRESENT);
                default ->
                    explanation.fail(batch, item, Status.of(lane.kind(remark)), lane.errno(remark), lane.step(remark));
            }
        }
        if (pending != null) {
            pending.finish(batch, shield, backend.counters());
        }
    }

    private void add(PendingSync pending, TransferBatch batch, int item, Status status) {
        FileRoot root = backend.root(batch.root(item));
        if (batch.pool() instanceof FileSlotPool pool) {
            pending.addSlot(pool.file(batch.root(item), batch.slot(item)), item, batch.length(item));
        } else {
            pending.addEntry(root, root.resolve(batch.name(item)), item, status, batch.length(item));
        }
    }

    @Override
    public void close() {
        closed = true;
        java.close();
        lane.close();
    }
}
