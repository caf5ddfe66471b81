package io.nixlkv.host.metrics;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.Status;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;

/** Sums over all calls of one kind. Thread-safe. */
final class CallTotals {
    private final LongAdder calls = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final Map<Status, LongAdder> objects = new EnumMap<>(Status.class);

    CallTotals() {
        for (Status status : Status.values()) {
            objects.put(status, new LongAdder());
        }
    }

    /**
     * Adds a call that has ended.
     *
     * @param start of the call, nanoseconds as {@link System#nanoTime} gives them
     * @param length bytes of each object
     */
    void add(long start, BatchResult result, IntToLongFunction length) {
        for (int i = 0; i < result.size(); i++) {
            add(result.get(i), length.applyAsLong(i));
        }
        ended(start);
    }

    /** {@link #add(long, BatchResult, IntToLongFunction)} of a single object. */
    void add(long start, ObjectResult result, long length) {
        add(result, length);
        ended(start);
    }

    private void add(ObjectResult result, long length) {
        objects.get(result.status()).increment();
        if (result.status() == Status.DONE) {
            bytes.add(length);
        }
    }

    private void ended(long start) {
        calls.increment();
        nanos.add(System.nanoTime() - start);
    }

    /** Calls, microseconds, bytes, and the number of objects by how they ended, in lower case; those that are 0 are left out. */
    Map<String, Long> snapshot() {
        Map<String, Long> sums = new LinkedHashMap<>();
        sums.put("calls", calls.sum());
        sums.put("micros", TimeUnit.NANOSECONDS.toMicros(nanos.sum()));
        sums.put("bytes", bytes.sum());
        objects.forEach((status, count) -> {
            if (count.sum() > 0) {
                sums.put(status.name().toLowerCase(Locale.ROOT), count.sum());
            }
        });
        return sums;
    }
}
