package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/** Runs the items of a batch one after the other on the calling thread. */
final class FileLane implements Lane {
    private final FileBackend backend;
    private final NamedItems named;
    private final SlotItems slots;
    private volatile boolean closed;

    FileLane(FileBackend backend) {
        this.backend = backend;
        named = new NamedItems(backend);
        slots = new SlotItems(backend);
    }

    @Override
    public void execute(TransferBatch batch) {
        if (closed || !backend.active().enter()) {
            for (int item = 0; item < batch.size(); item++) {
                refuse(batch, item);
            }
            return;
        }
        InterruptShield shield = new InterruptShield();
        shield.raise();
        try {
            PendingSync pending = batch.durable() ? new PendingSync() : null;
            long deadline = batch.deadline();
            for (int item = 0, size = batch.size(); item < size; item++) {
                if (backend.active().closed()) {
                    refuse(batch, item);
                } else if (ChunkedIo.expired(deadline)) {
                    expire(batch, item);
                } else {
                    run(batch, item, pending, shield);
                }
            }
            if (pending != null) {
                pending.finish(batch, shield, backend.counters());
            }
        } finally {
            backend.active().leave();
            shield.lower();
        }
    }

    /**
     * Carries out one item.
     *
     * @param pending where done writes of a durable batch wait; {@code null} if it is not durable
     */
    void run(TransferBatch batch, int item, PendingSync pending, InterruptShield shield) {
        while (true) {
            try {
                if (batch.pool() == null) {
                    named.run(batch, item, pending);
                } else {
                    slots.run(batch, item, pending);
                }
                return;
            } catch (ClosedChannelException interrupted) {
                if (!shield.mayRetry(batch.deadline())) {
                    expire(batch, item);
                    return;
                }
            } catch (StorageException noMemory) {
                // its slice is in a device that does not give it
                backend.counters().failed();
                batch.fail(item, noMemory.status(), 0, noMemory.getMessage());
                return;
            }
        }
    }

    /** Publishes what another engine wrote under a temporary name for an item. */
    void publishWritten(TransferBatch batch, int item, Path temporary, PendingSync pending, InterruptShield shield) {
        try {
            named.publishWritten(batch, item, temporary, pending);
        } catch (ClosedChannelException interrupted) {
            if (shield.mayRetry(batch.deadline())) {
                run(batch, item, pending, shield);
            } else {
                expire(batch, item);
            }
        }
    }

    void expire(TransferBatch batch, int item) {
        if (batch.op() == TransferBatch.Op.PUBLISH) {
            named.forget(batch.token(item));
        }
        batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed before the transfer was done");
    }

    private static void refuse(TransferBatch batch, int item) {
        batch.fail(item, Status.UNAVAILABLE, 0, "the store is closed; open it again");
    }

    @Override
    public void close() {
        closed = true;
    }
}
