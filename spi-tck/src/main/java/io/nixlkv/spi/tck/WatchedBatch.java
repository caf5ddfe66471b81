package io.nixlkv.spi.tck;

import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A batch that remembers items completed twice or after the lane returned, from whatever thread. */
final class WatchedBatch implements TransferBatch {
    private final PackedBatch batch;
    private final AtomicIntegerArray completions;
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile boolean returned;

    WatchedBatch(PackedBatch batch) {
        this.batch = batch;
        completions = new AtomicIntegerArray(batch.size());
    }

    /** From now on a completion is a violation. */
    void returned() {
        returned = true;
    }

    /** Fails the test if the lane completed an item twice, late or not at all. */
    void check() {
        for (int item = 0; item < batch.size(); item++) {
            int at = item;
            Rule.ONCE.check(batch.status(item) != null, () -> "item " + at + " of " + batch + " was never completed");
        }
        Rule.ONCE.check(violations.isEmpty(), () -> String.join("; ", violations));
    }

    private void count(int item) {
        if (completions.incrementAndGet(item) > 1) {
            violations.add("item " + item + " was completed twice");
        }
        if (returned) {
            violations.add("item " + item + " was completed after execute() returned");
        }
    }

    @Override
    public Op op() {
        return batch.op();
    }

    @Override
    public Mode mode() {
        return batch.mode();
    }

    @Override
    public boolean durable() {
        return batch.durable();
    }

    @Override
    public int size() {
        return batch.size();
    }

    @Override
    public long deadline() {
        return batch.deadline();
    }

    @Override
    public SlotPool pool() {
        return batch.pool();
    }

    @Override
    public int slot(int item) {
        return batch.slot(item);
    }

    @Override
    public int root(int item) {
        return batch.root(item);
    }

    @Override
    public String name(int item) {
        return batch.name(item);
    }

    @Override
    public int length(int item) {
        return batch.length(item);
    }

    @Override
    public int segment(int item) {
        return batch.segment(item);
    }

    @Override
    public int offset(int item) {
        return batch.offset(item);
    }

    @Override
    public long address(int item) {
        return batch.address(item);
    }

    @Override
    public ByteBuffer slice(int item) {
        return batch.slice(item);
    }

    @Override
    public long token(int item) {
        return batch.token(item);
    }

    @Override
    public ByteBuffer packed() {
        return batch.packed();
    }

    @Override
    public void complete(int item, Status status, long storedLength) {
        count(item);
        batch.complete(item, status, storedLength);
    }

    @Override
    public void staged(int item, long token) {
        count(item);
        batch.staged(item, token);
    }

    @Override
    public void fail(int item, Status status, int code, String sentence) {
        count(item);
        batch.fail(item, status, code, sentence);
    }
}
