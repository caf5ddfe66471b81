package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.List;

/** Ends the items of a batch with the answers of the store. */
final class BatchResults implements Round.Results {
    private final TransferBatch batch;
    private final ObjectBackend backend;
    private final Op op;

    BatchResults(TransferBatch batch, ObjectBackend backend) {
        this.batch = batch;
        this.backend = backend;
        op = batch.op();
    }

    @Override
    public void answered(Work work, List<Answer> answers) {
        int[] items = work.items();
        for (int i = 0; i < items.length; i++) {
            end(items[i], answers.get(i));
        }
    }

    @Override
    public void failed(Work work, Throwable failure) {
        Answer answer = backend.store().explain(failure);
        for (int item : work.items()) {
            end(item, answer);
        }
    }

    @Override
    public void late(Work work) {
        for (int item : work.items()) {
            end(item, Answer.failed(Status.TIMED_OUT, 0, "the store did not answer before the deadline"));
        }
    }

    private void end(int item, Answer answer) {
        backend.counters().count(op, answer.status(), batch.length(item));
        if (op == Op.STAGE && answer.status() == Status.DONE) {
            batch.staged(item, answer.storedLength());
        } else if (answer.sentence() == null) {
            batch.complete(item, answer.status(), answer.storedLength());
        } else {
            batch.fail(item, answer.status(), answer.code(), answer.sentence());
        }
    }
}
