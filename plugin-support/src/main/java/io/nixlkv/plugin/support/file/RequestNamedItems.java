package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.TransferRequest;
import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Path;

/** Items that are names, as a transfer request. One thread. */
final class RequestNamedItems {
    private final FileBackend backend;
    private final TransferRequest request;
    private final RequestFileLane lane;
    private final ObjectNames names = new ObjectNames();
    private int[] itemOf = new int[0];
    private Path[] temporaries = new Path[0];

    RequestNamedItems(FileBackend backend, TransferRequest request, RequestFileLane lane) {
        this.backend = backend;
        this.request = request;
        this.lane = lane;
    }

    /** Completes every item, or hands it to {@code pending}. */
    void run(TransferBatch batch, PendingSync pending, InterruptShield shield) {
        if (itemOf.length < batch.size()) {
            itemOf = new int[batch.size()];
            temporaries = new Path[batch.size()];
        }
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

    /** False for what pure Java has to refuse. */
    private boolean add(TransferBatch batch, int item) {
        int number = batch.root(item);
        int length = batch.length(item);
        if (number < 0 || number >= backend.roots() || length < 1) {
            return false;
        }
        FileRoot root = backend.root(number);
        String name = batch.name(item);
        if (names.problem(name, root.prefixBytes()) != null) {
            return false;
        }
        String object = root.pathOf(name);
        if (leadsOutside(root, name)) {
            return false;
        }
        long address = batch.address(item);
        int at;
        if (batch.op() == Op.READ) {
            boolean direct = root.directIo().fits(address, length, 0);
            at = request.add(address, length, object, "", direct);
        } else {
            Path temporary = temporary(root);
            if (temporary == null) {
                return false;
            }
            // after the temporary: the root may have become writable with it
            boolean direct = root.directIo().fits(address, length, 0);
            at = request.add(address, length, temporary.toString(), object, direct);
            temporaries[at] = temporary;
        }
        itemOf[at] = item;
        return true;
    }

    private static boolean leadsOutside(FileRoot root, String name) {
        try {
            if (name.indexOf('/') >= 0) {
                root.requireInside(root.resolve(name));
            }
            return false;
        } catch (IOException outsideOrUnknown) {
            return true;
        }
    }

    /** {@code null} in a root that cannot be written to; pure Java tells why. */
    private static Path temporary(FileRoot root) {
        try {
            return root.nextTemporary();
        } catch (IOException notWritable) {
            return null;
        }
    }

    private void finish(TransferBatch batch, int item, int at, PendingSync pending, InterruptShield shield) {
        boolean read = batch.op() == Op.READ;
        TransferRequest.Result result = request.result(at);
        if (!read && result != TransferRequest.Result.DONE && result != TransferRequest.Result.WRITTEN) {
            temporaries[at].toFile().delete();
        }
        switch (result) {
            case DONE -> {
                count(batch, item, read);
                done(batch, item, read ? null : pending);
            }
            case WRITTEN -> {
                count(batch, item, false);
                written(batch, item, temporaries[at], pending, shield);
            }
            case ABSENT -> batch.complete(item, Status.MISSING, -1);
            case OTHER_LENGTH -> batch.complete(item, Status.WRONG_SIZE, request.stored(at));
            case EXPIRED -> lane.java().expire(batch, item);
            default -> lane.refused(batch, item, result, pending, shield);
        }
    }

    private void done(TransferBatch batch, int item, PendingSync pending) {
        int length = batch.length(item);
        if (pending == null) {
            batch.complete(item, Status.DONE, length);
        } else {
            FileRoot root = backend.root(batch.root(item));
            pending.addEntry(root, root.resolve(batch.name(item)), item, Status.DONE, length);
        }
    }

    private void written(TransferBatch batch, int item, Path temporary, PendingSync pending, InterruptShield shield) {
        if (batch.op() == Op.STAGE) {
            FileRoot root = backend.root(batch.root(item));
            batch.staged(item, backend.stage(new Staged(root, batch.name(item), temporary, batch.length(item))));
        } else {
            lane.java().publishWritten(batch, item, temporary, pending, shield);
        }
    }

    private void count(TransferBatch batch, int item, boolean read) {
        int length = batch.length(item);
        boolean direct = backend.root(batch.root(item)).directIo().fits(batch.address(item), length, 0);
        if (read) {
            backend.counters().read(length, direct);
        } else {
            backend.counters().wrote(length, direct);
        }
    }
}
