package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.NixlLane;
import io.nixlkv.nativeio.NixlRequest;
import io.nixlkv.nativeio.NixlRequest.Publish;
import io.nixlkv.nativeio.NixlRequest.Result;
import io.nixlkv.plugin.support.nixl.NixlAgents;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the bytes of a batch through one NIXL agent. Pure Java does what NIXL has no word for, explains what failed, and carries
 * out the items that NIXL fails on.
 */
final class NixlFileLane implements Lane {
    private static final Logger LOG = LoggerFactory.getLogger(NixlFileLane.class);

    private final FileBackend backend;
    private final NixlAgents agents;
    private final NixlLane nixl;
    private final NixlRequest request = new NixlRequest();
    private final NixlNamedItems named;
    private final NixlSlotItems slots;
    private final FileLane java;
    private volatile boolean closed;
    private boolean warned;

    NixlFileLane(FileBackend backend, NixlAgents agents, NixlLane nixl) {
        this.backend = backend;
        this.agents = agents;
        this.nixl = nixl;
        java = new FileLane(backend);
        named = new NixlNamedItems(backend, request, this);
        slots = new NixlSlotItems(backend, nixl, request, this);
    }

    @Override
    public void execute(TransferBatch batch) {
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
                agents.settings().silent(),
                publish,
                backend.root(0).modes().file(),
                batch.deadline() - System.nanoTime());
    }

    /** Carries the filled request out. */
    void transfer() {
        if (request.size() > 0) {
            nixl.files(request);
            agents.count(request.requests(), request.repeated(), request.reopened());
        }
    }

    FileLane java() {
        return java;
    }

    /** An item that NIXL fails on, also when it is alone, is carried out by pure Java, which finds the reason if there is one. */
    void refused(TransferBatch batch, int item, Result result, PendingSync pending, InterruptShield shield) {
        if (result == Result.REFUSED) {
            agents.refused();
            if (!warned) {
                warned = true;
                LOG.warn(
                        "NIXL's {} fails on single objects; they are transferred without it, see nixl_items_refused in status",
                        agents.settings().plugin());
            }
        }
        java.run(batch, item, pending, shield);
    }

    @Override
    public void close() {
        closed = true;
        java.close();
        nixl.close();
    }
}
