package io.nixlkv.spi.tck.objects;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/**
 * One request under way: the only way to its slice, and the only one to end its item. Thread-safe; after {@link #fence} returned,
 * the slice is not touched any more.
 */
final class Exchange {
    private final TransferBatch batch;
    private final int item;
    private final ByteBuffer slice;
    private final CountDownLatch open;
    private boolean ended;

    Exchange(TransferBatch batch, int item, CountDownLatch open) {
        this.batch = batch;
        this.item = item;
        this.open = open;
        slice = batch.slice(item);
    }

    int length() {
        return slice.capacity();
    }

    /** Takes the next bytes of the body; false if the request was fenced. */
    synchronized boolean take(byte[] target, int from, int length) {
        if (!ended) {
            slice.get(from, target, from, length);
        }
        return !ended;
    }

    /** Delivers the next bytes of the body; false if the request was fenced. */
    synchronized boolean deliver(byte[] source, int from, int length) {
        if (!ended) {
            slice.put(from, source, from, length);
        }
        return !ended;
    }

    /** Ends the item, unless it was fenced before. */
    synchronized void end(Status status, long storedLength) {
        if (!ended) {
            ended = true;
            batch.complete(item, status, storedLength);
            open.countDown();
        }
    }

    /** Cuts the request off from its slice and ends it, unless it has ended. */
    synchronized void fence() {
        if (!ended) {
            ended = true;
            batch.fail(item, Status.TIMED_OUT, 0, "no answer before the deadline");
            open.countDown();
        }
    }
}
