package io.nixlkv.host.store;

import io.nixlkv.spi.Status;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Whether the store works, judged by its results: unhealthy after a row of failures, healthy again with a success. Thread-safe. */
final class Health {
    private static final int ROW = 3;

    private final AtomicInteger failuresInARow = new AtomicInteger();
    private final LongAdder failures = new LongAdder();
    private volatile String lastFailure = "";

    void record(Status status, String reason) {
        switch (status) {
            case DONE, ALREADY_PRESENT -> {
                if (failuresInARow.get() != 0) {
                    failuresInARow.set(0);
                }
            }
            case NO_SPACE, DENIED, THROTTLED, UNAVAILABLE, FAILED, TIMED_OUT -> {
                failuresInARow.incrementAndGet();
                failures.increment();
                lastFailure = Instant.now() + " " + reason;
            }
            case MISSING, WRONG_SIZE, INVALID, UNSUPPORTED -> {
                // answers about the object or the request, not about the store
            }
        }
    }

    boolean healthy() {
        return failuresInARow.get() < ROW;
    }

    long failures() {
        return failures.sum();
    }

    String lastFailure() {
        return lastFailure;
    }
}
