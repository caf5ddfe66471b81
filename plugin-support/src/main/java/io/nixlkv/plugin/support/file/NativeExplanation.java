package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.Step;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Finds the words for items that native code could not carry out. One thread. */
final class NativeExplanation {
    private final FileBackend backend;
    private final ObjectNames names = new ObjectNames();

    NativeExplanation(FileBackend backend) {
        this.backend = backend;
    }

    void fail(TransferBatch batch, int item, Status status, int errno, Step step) {
        switch (step) {
            case BEFORE -> batch.fail(item, status, 0, "the deadline passed before the transfer was done");
            case DURING -> batch.fail(item, status, 0, "the deadline passed during the transfer");
            case CLOSED -> batch.fail(item, status, 0, "the store is closed; open it again");
            default -> {
                backend.counters().failed();
                failed(batch, item, status, errno, step);
            }
        }
    }

    private void failed(TransferBatch batch, int item, Status status, int errno, Step step) {
        switch (step) {
            case NAME -> batch.fail(item, status, 0, nameProblem(batch, item));
            case LENGTH ->
                batch.fail(
                        item,
                        status,
                        0,
                        batch.op() == TransferBatch.Op.READ
                                ? "a read needs a length of at least 1 byte"
                                : "an object needs at least 1 byte; empty objects count as absent");
            case SLICE -> batch.fail(item, status, 0, "the slice is outside the store's arena; use its leases");
            case ROOT ->
                batch.fail(
                        item,
                        status,
                        0,
                        "there is no directory number " + batch.root(item) + ", only " + backend.roots());
            case TOKEN -> batch.fail(item, status, 0, "nothing is staged under token " + batch.token(item));
            case CUT_SHORT ->
                batch.fail(
                        item,
                        status,
                        0,
                        "cannot read slot " + batch.slot(item)
                                + ": the pool file was cut short; delete it to make it anew");
            default -> refused(batch, item, status, errno);
        }
    }

    private String nameProblem(TransferBatch batch, int item) {
        String name = batch.name(item);
        String problem = names.problem(name, backend.root(batch.root(item)).prefixBytes());
        return "the name " + Evidence.quoted(name) + " "
                + (problem == null ? "is longer than " + FileSettings.MAX_NAME_BYTES + " bytes or no UTF-8" : problem);
    }

    private static void foreign(TransferBatch batch, int item, Path object) {
        if (batch.op() == TransferBatch.Op.READ && Evidence.leadsToOthers(object)) {
            batch.complete(item, Status.MISSING, -1);
        } else {
            batch.fail(item, Status.FAILED, 0, Evidence.foreign(object));
        }
    }

    private void refused(TransferBatch batch, int item, Status status, int errno) {
        FileFailure failure = FileFailure.ofErrno(errno).as(status);
        if (batch.pool() != null) {
            String doing = "cannot " + Evidence.verb(batch.op()) + " slot " + batch.slot(item);
            batch.fail(item, status, errno, failure.sentence(doing));
            return;
        }
        FileRoot root = backend.root(Math.min(batch.root(item), backend.roots() - 1));
        String name = batch.name(item);
        if (names.problem(name, root.prefixBytes()) == null) {
            Path object = root.resolve(name);
            if (Evidence.isForeign(object)) {
                foreign(batch, item, object);
                return;
            }
            Path file = Evidence.fileAmongParents(root, object);
            if (file != null) {
                failure = FileFailure.of(new NotDirectoryException(file.toString()));
            }
        }
        String doing = "cannot " + Evidence.verb(batch.op()) + " " + Evidence.quoted(name) + " in " + root.path();
        batch.fail(item, failure.status(), failure.errno(), failure.sentence(doing));
    }
}
