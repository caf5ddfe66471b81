package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.NativeException;
import io.nixlkv.nativeio.NixlException;
import io.nixlkv.nativeio.RequestLane;
import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Items that are slots, as a transfer request. A pool's file is registered when the lane first meets it. One thread. */
final class RequestSlotItems {
    private record Kept(FileSlotPool pool, PoolFile file, boolean direct) {}

    private final FileBackend backend;
    private final RequestLane library;
    private final TransferRequest request;
    private final RequestFileLane lane;
    private final Map<Kept, Long> devices = new HashMap<>();
    private int[] itemOf = new int[0];

    RequestSlotItems(FileBackend backend, RequestLane library, TransferRequest request, RequestFileLane lane) {
        this.backend = backend;
        this.library = library;
        this.request = request;
        this.lane = lane;
    }

    /** Completes every item, or hands it to {@code pending}. */
    void run(TransferBatch batch, PendingSync pending, InterruptShield shield) {
        if (itemOf.length < batch.size()) {
            itemOf = new int[batch.size()];
        }
        dropClosed();
        for (int item = 0, size = batch.size(); item < size; item++) {
            if (ChunkedIo.expired(batch.deadline())) {
                lane.java().expire(batch, item);
            } else if (!add(batch, item)) {
                lane.java().run(batch, item, pending, shield);
            }
        }
        lane.transfer();
        for (int at = 0; at < request.size(); at++) {
            finish(batch, itemOf[at], at, pending, shield);
        }
    }

    private void dropClosed() {
        for (Iterator<Map.Entry<Kept, Long>> all = devices.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Kept, Long> each = all.next();
            if (!each.getKey().pool().isOpen()) {
                library.drop(each.getValue());
                all.remove();
            }
        }
    }

    /** False for what pure Java has to refuse or to do. */
    private boolean add(TransferBatch batch, int item) {
        int number = batch.root(item);
        int slot = batch.slot(item);
        int length = batch.length(item);
        if (!(batch.pool() instanceof FileSlotPool pool)
                || !pool.belongsTo(backend)
                || !pool.isOpen()
                || number < 0
                || number >= backend.roots()
                || slot < 0
                || slot >= pool.count()
                || length < 1
                || length > pool.slotBytes()) {
            return false;
        }
        PoolFile file = pool.file(number, slot);
        long position = pool.position(slot);
        long address = batch.address(item);
        try {
            long device = devices.computeIfAbsent(
                    new Kept(pool, file, file.directIo().fits(address, length, position)),
                    kept -> library.keep(kept.direct(), kept.file().path().toString()));
            itemOf[request.addKept(address, position, length, device)] = item;
            return true;
        } catch (NixlException | NativeException refused) {
            return false;
        }
    }

    private void finish(TransferBatch batch, int item, int at, PendingSync pending, InterruptShield shield) {
        TransferRequest.Result result = request.result(at);
        if (result == TransferRequest.Result.EXPIRED) {
            lane.java().expire(batch, item);
        } else if (result == TransferRequest.Result.DONE) {
            done(batch, item, pending);
        } else {
            lane.refused(batch, item, result, pending, shield);
        }
    }

    private void done(TransferBatch batch, int item, PendingSync pending) {
        int length = batch.length(item);
        FileSlotPool pool = (FileSlotPool) batch.pool();
        PoolFile file = pool.file(batch.root(item), batch.slot(item));
        boolean direct = file.directIo().fits(batch.address(item), length, pool.position(batch.slot(item)));
        if (batch.op() == Op.READ) {
            backend.counters().read(length, direct);
            batch.complete(item, Status.DONE, length);
            return;
        }
        backend.counters().wrote(length, direct);
        if (pending == null) {
            batch.complete(item, Status.DONE, length);
        } else {
            pending.addSlot(file, item, length);
        }
    }
}
