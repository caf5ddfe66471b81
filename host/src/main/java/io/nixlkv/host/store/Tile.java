package io.nixlkv.host.store;

import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;

/**
 * Some neighbouring items of a call, executed by one lane in one go. Ended exactly once: by its worker when the lane returned, or
 * by the clock, which leaves the worker to clean up whenever the lane returns.
 */
final class Tile {
    private enum State {
        QUEUED,
        RUNNING,
        ENDED
    }

    private final Call call;
    private final int from;
    private final int to;
    private State state = State.QUEUED;
    private PackedBatch batch;
    private HostArena.Hold hold;

    Tile(Call call, int from, int to) {
        this.call = call;
        this.from = from;
        this.to = to;
    }

    int size() {
        return to - from;
    }

    Call call() {
        return call;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Set before the tile is queued: the memory that is not reused until the tile can no longer touch it. */
    void keep(HostArena.Hold memory) {
        hold = memory;
    }

    /** Fills a worker's batch. False if the clock was faster. */
    synchronized boolean begin(PackedBatch workersBatch) {
        if (state == State.ENDED) {
            return false;
        }
        call.fill(workersBatch, from, to);
        batch = workersBatch;
        state = State.RUNNING;
        return true;
    }

    /**
     * The lane returned: takes the results.
     *
     * @param defect what the lane threw, for items it left open; {@code null} if nothing
     * @return false if the clock had ended the tile
     */
    boolean end(Throwable defect) {
        synchronized (this) {
            if (state == State.ENDED) {
                return false;
            }
            state = State.ENDED;
            for (int item = from; item < to; item++) {
                if (batch.status(item - from) == null) {
                    call.end(item, Status.FAILED, unfinished(defect));
                } else {
                    call.take(item, batch, item - from);
                }
            }
        }
        letGo();
        call.tileEnded();
        return true;
    }

    /** Ends a tile that never reaches a lane. False if it had ended. */
    boolean refuse(Status status, String sentence) {
        synchronized (this) {
            if (state == State.ENDED) {
                return false;
            }
            state = State.ENDED;
            for (int item = from; item < to; item++) {
                call.end(item, status, sentence);
            }
        }
        letGo();
        call.tileEnded();
        return true;
    }

    /**
     * The deadline passed: items that the lane completed keep their result, the others are TIMED_OUT. If the lane still runs, the
     * memory of the tile stays held, and its slots are held before the call can end.
     *
     * @return whether a lane is stuck with it
     */
    boolean expire() {
        boolean running;
        synchronized (this) {
            if (state == State.ENDED) {
                return false;
            }
            running = state == State.RUNNING;
            state = State.ENDED;
            for (int item = from; item < to; item++) {
                if (running) {
                    call.holder().hold(item);
                }
                if (running && batch.status(item - from) != null) {
                    call.take(item, batch, item - from);
                } else {
                    call.end(
                            item,
                            Status.TIMED_OUT,
                            running
                                    ? "the storage did not answer before the deadline"
                                    : "no worker was free before the deadline");
                }
            }
        }
        if (!running) {
            letGo();
        }
        call.tileEnded();
        return running;
    }

    /** No lane touches the tile's memory any more, or ever will: it may be reused. */
    void letGo() {
        hold.letGo();
    }

    /** The lane let go of an expired tile: neither it nor anybody else touches its memory and its slots any more. */
    void laneReturned() {
        for (int item = from; item < to; item++) {
            call.holder().letGo(item);
        }
        letGo();
    }

    /** Items of an expired STAGE tile that the lane staged after all, and nobody will publish. */
    int[] orphans() {
        if (call.op() != Op.STAGE) {
            return new int[0];
        }
        int[] items = new int[size()];
        int count = 0;
        for (int item = from; item < to; item++) {
            if (call.status(item) == Status.TIMED_OUT && batch.status(item - from) == Status.DONE) {
                items[count++] = item - from;
            }
        }
        return java.util.Arrays.copyOf(items, count);
    }

    private static String unfinished(Throwable defect) {
        return defect == null
                ? "the engine returned without completing the object; this is a defect of the plugin"
                : "the engine failed with " + defect + "; this is a defect of the plugin";
    }
}
