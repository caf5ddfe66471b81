package io.nixlkv.plugin.support.nixl;

import io.nixlkv.nativeio.NixlException;
import io.nixlkv.nativeio.NixlLane;
import io.nixlkv.nativeio.NixlLane.Presence;
import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.nativeio.TransferRequest.Publish;
import io.nixlkv.plugin.support.file.ActiveTransfers;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.List;
import java.util.Optional;

/** Objects of one batch through one NIXL agent, a request for each object. */
final class NixlObjectLane implements Lane {
    private final String store;
    private final NixlObjectBackend backend;
    private final NixlAgents agents;
    private final NixlObjectNames names;
    private final ActiveTransfers active;
    private final NixlLane nixl;
    private final NixlObjectSlots slots;
    private final TransferRequest request = new TransferRequest();
    private int[] itemOf = new int[0];
    private volatile boolean closed;

    NixlObjectLane(
            NixlObjectBackend backend, String store, NixlAgents agents, NixlObjectNames names, ActiveTransfers active) {
        this.backend = backend;
        this.store = store;
        this.agents = agents;
        this.names = names;
        this.active = active;
        nixl = agents.openLane();
        slots = new NixlObjectSlots(nixl);
    }

    @Override
    public void execute(TransferBatch batch) {
        if (closed || !active.enter()) {
            for (int item = 0; item < batch.size(); item++) {
                batch.fail(item, Status.UNAVAILABLE, 0, "the store is closed; open it again");
            }
            return;
        }
        try {
            if (itemOf.length < batch.size()) {
                itemOf = new int[batch.size()];
            }
            slots.dropClosed();
            request.start(
                    batch.size(),
                    batch.op() == Op.WRITE,
                    false,
                    true,
                    Publish.NOT,
                    0,
                    batch.deadline() - System.nanoTime());
            for (int item = 0, size = batch.size(); item < size; item++) {
                admit(batch, item);
            }
            if (request.size() > 0) {
                move(batch);
            }
        } finally {
            active.leave();
        }
    }

    private void admit(TransferBatch batch, int item) {
        Op op = batch.op();
        boolean known = op == Op.WRITE || op == Op.READ || op == Op.QUERY && batch.pool() == null;
        boolean asked = op == Op.WRITE && (batch.pool() == null && batch.mode() != Mode.REPLACE || batch.durable());
        if (!known || asked) {
            batch.fail(
                    item,
                    Status.UNSUPPORTED,
                    0,
                    "NIXL has no call for this; " + store + " engine nixl writes with replace, reads and looks up");
            return;
        }
        if (batch.deadline() - System.nanoTime() <= 0) {
            batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed before the transfer was done");
            return;
        }
        if (batch.pool() != null) {
            admitSlot(batch, item);
            return;
        }
        String name = batch.name(item);
        Optional<String> problem = batch.root(item) == 0 ? names.problem(name) : noRoot(batch, item);
        if (problem.isEmpty() && op != Op.QUERY && batch.length(item) < 1) {
            problem = Optional.of("an object needs at least 1 byte; empty objects count as absent");
        }
        if (problem.isPresent()) {
            batch.fail(item, Status.INVALID, 0, problem.get());
            return;
        }
        itemOf[request.add(batch.address(item), batch.length(item), names.key(name), "", false)] = item;
    }

    private static Optional<String> noRoot(TransferBatch batch, int item) {
        return Optional.of("there is no store number " + batch.root(item) + ", only one");
    }

    private void admitSlot(TransferBatch batch, int item) {
        int slot = batch.slot(item);
        int length = batch.length(item);
        if (!(batch.pool() instanceof NixlObjectPool pool) || !pool.belongsTo(backend) || !pool.isOpen()) {
            batch.fail(item, Status.INVALID, 0, "the pool is closed or not one of this store");
        } else if (batch.root(item) != 0) {
            batch.fail(item, Status.INVALID, 0, noRoot(batch, item).orElseThrow());
        } else if (slot < 0 || slot >= pool.count() || length < 1 || length > pool.slotBytes()) {
            batch.fail(
                    item,
                    Status.INVALID,
                    0,
                    "the pool has " + pool.count() + " slots of " + pool.slotBytes() + " bytes, asked were slot " + slot
                            + " and " + length + " bytes");
        } else {
            try {
                itemOf[request.addKept(batch.address(item), 0, length, slots.device(pool, slot))] = item;
            } catch (NixlException refused) {
                batch.fail(item, Status.UNAVAILABLE, 0, refused.getMessage());
            }
        }
    }

    private String key(TransferBatch batch, int item) {
        return batch.pool() instanceof NixlObjectPool pool ? pool.key(batch.slot(item)) : names.key(batch.name(item));
    }

    private void move(TransferBatch batch) {
        if (batch.op() == Op.QUERY) {
            query(batch);
            return;
        }
        nixl.objects(request);
        agents.count(request.requests(), request.repeated(), request.reopened());
        for (int at = 0; at < request.size(); at++) {
            finish(batch, itemOf[at], at);
        }
    }

    private void finish(TransferBatch batch, int item, int at) {
        switch (request.result(at)) {
            case DONE -> batch.complete(item, Status.DONE, batch.op() == Op.WRITE ? batch.length(item) : -1);
            case OTHER_LENGTH -> batch.complete(item, Status.WRONG_SIZE, -1);
            case EXPIRED -> batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed before the transfer was done");
            default -> refused(batch, item);
        }
    }

    /** NIXL says that it failed and not why: whether the object is there is all that can be found out. */
    private void refused(TransferBatch batch, int item) {
        String key = key(batch, item);
        Presence presence = batch.op() == Op.READ ? nixl.query(List.of(key)).get(0) : null;
        if (presence == Presence.ABSENT) {
            batch.complete(item, Status.MISSING, -1);
            return;
        }
        agents.refused();
        String what = "NIXL's " + agents.settings().plugin() + " cannot " + (batch.op() == Op.WRITE ? "write" : "read")
                + " \"" + key + "\"";
        if (presence == Presence.PRESENT) {
            batch.fail(item, Status.FAILED, 0, what + ", though it is there; NIXL's log on stderr may say why");
        } else {
            batch.fail(
                    item,
                    Status.UNAVAILABLE,
                    0,
                    what + "; check the store's address, credentials and space; NIXL's log on stderr may say more");
        }
    }

    private void query(TransferBatch batch) {
        int count = request.size();
        String[] keys = new String[count];
        for (int at = 0; at < count; at++) {
            keys[at] = names.key(batch.name(itemOf[at]));
        }
        List<Presence> found = nixl.query(List.of(keys));
        for (int at = 0; at < count; at++) {
            int item = itemOf[at];
            switch (found.get(at)) {
                case PRESENT -> batch.complete(item, Status.DONE, -1);
                case ABSENT -> batch.complete(item, Status.MISSING, -1);
                case UNKNOWN ->
                    batch.fail(
                            item,
                            Status.UNAVAILABLE,
                            0,
                            "NIXL's " + agents.settings().plugin()
                                    + " cannot look it up; check the store's address and credentials");
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        nixl.close();
    }
}
