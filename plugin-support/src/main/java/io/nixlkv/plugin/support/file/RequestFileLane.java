package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.RequestLane;
import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.nativeio.TransferRequest.Publish;
import io.nixlkv.nativeio.TransferRequest.Result;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the bytes of a batch through one lane of a library. Pure Java does what the library has no word for, explains what failed, and carries
 * out the items that the library fails on.
 */
final class RequestFileLane implements Lane {
    private static final Logger LOG = LoggerFactory.getLogger(RequestFileLane.class);

    private final FileBackend backend;
    private final RequestEngine library;
    private final RequestLane lane;
    private final TransferRequest request = new TransferRequest();
    private final RequestNamedItems named;
    private final RequestSlotItems slots;
    private final FileLane java;
    private volatile boolean closed;
    private boolean warned;

    RequestFileLane(FileBackend backend, RequestEngine library, RequestLane lane) {
        this.backend = backend;
        this.library = library;
        this.lane = lane;
        java = new FileLane(backend);
        named = new RequestNamedItems(backend, request, this);
        slots = new RequestSlotItems(backend, lane, request, this);
    }

    @Override
    public void execute(TransferBatch given) {
        TransferBatch batch = library.forJava(given);
        boolean moves = batch.op() == Op.READ || batch.op() == Op.WRITE || batch.op() == Op.STAGE;
        if (!moves || closed || !backend.active().enter()) {
            java.execute(batch);
            return;
        }
        InterruptShield shield = new InterruptShield();
        shield.raise();
        try {
            PendingSync pending = batch.durable() ? new PendingSync() : null;
            start(batch);
            if (batch.pool() == null) {
                named.run(batch, pending, shield);
            } else {
                slots.run(batch, pending, shield);
            }
            if (pending != null) {
                pending.finish(batch, shield, backend.counters());
            }
        } finally {
            backend.active().leave();
            shield.lower();
        }
    }

    private void start(TransferBatch batch) {
        boolean write = batch.op() != Op.READ;
        Publish publish = batch.op() != Op.WRITE || batch.pool() != null
                ? Publish.NOT
                : batch.mode() == Mode.CREATE ? Publish.NEW : Publish.REPLACE;
        request.start(
                batch.size(),
                write,
                batch.durable() && batch.pool() == null,
                library.silent(),
                publish,
                backend.root(0).modes().file(),
                batch.deadline() - System.nanoTime());
    }

    /** Carries the filled request out. */
    void transfer() {
        if (request.size() > 0) {
            lane.files(request);
            library.count(request.requests(), request.repeated(), request.reopened());
        }
    }

    FileLane java() {
        return java;
    }

    /** An item that the library fails on, also when it is alone, is carried out by pure Java, which finds the reason if there is one. */
    void refused(TransferBatch batch, int item, Result result, PendingSync pending, InterruptShield shield) {
        if (result == Result.REFUSED) {
            library.refused();
            if (!warned) {
                warned = true;
                LOG.warn(
                        "{} fails on single objects; they are transferred without it and counted in status",
                        library.describe());
            }
        }
        java.run(batch, item, pending, shield);
    }

    @Override
    public void close() {
        closed = true;
        java.close();
        lane.close();
    }
}
