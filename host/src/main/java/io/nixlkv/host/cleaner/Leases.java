package io.nixlkv.host.cleaner;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.host.presence.DigestTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The objects that somebody in this process counts on: those found within the last while, and those being read or looked up. Kept
 * in two tables that take turns, so a lease lasts for one to two times its duration and nothing has to be searched for what ended.
 * Thread-safe.
 */
public final class Leases {
    private static final int MOST_IN_A_TURN = 2_000_000;

    private final long turnNanos;
    private final LongSupplier clock;
    private final Map<HashValue128, Integer> readers = new HashMap<>();
    private DigestTable present = new DigestTable();
    private DigestTable before = new DigestTable();
    private long turnEnds;

    public Leases(Duration lease) {
        this(lease, System::nanoTime);
    }

    Leases(Duration lease, LongSupplier clock) {
        turnNanos = lease.toNanos();
        this.clock = clock;
        turnEnds = clock.getAsLong() + turnNanos;
    }

    /** Somebody was told that an object is there. */
    public synchronized void used(HashValue128 object) {
        turn();
        if (present.size() < MOST_IN_A_TURN) {
            present.put(object.getMostSignificantBits(), object.getLeastSignificantBits(), 0);
        }
    }

    /** The same for some of the objects. */
    synchronized void used(HashValue128[] objects, IntPredicate found) {
        for (int i = 0; i < objects.length; i++) {
            if (found.test(i)) {
                used(objects[i]);
            }
        }
    }

    /** A load or a lookup of objects begins. */
    synchronized void reading(HashValue128[] objects) {
        for (HashValue128 object : objects) {
            readers.merge(object, 1, Integer::sum);
        }
    }

    /** It has ended. */
    synchronized void read(HashValue128[] objects) {
        for (HashValue128 object : objects) {
            readers.computeIfPresent(object, (same, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Whether somebody counts on an object. */
    public synchronized boolean has(HashValue128 object) {
        turn();
        long high = object.getMostSignificantBits();
        long low = object.getLeastSignificantBits();
        return present.get(high, low) != DigestTable.NONE
                || before.get(high, low) != DigestTable.NONE
                || readers.containsKey(object);
    }

    private void turn() {
        long late = clock.getAsLong() - turnEnds;
        if (late < 0) {
            return;
        }
        before = late < turnNanos ? present : new DigestTable();
        present = new DigestTable();
        turnEnds += turnNanos * (1 + late / turnNanos);
    }
}
