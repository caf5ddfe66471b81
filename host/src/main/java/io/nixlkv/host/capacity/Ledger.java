package io.nixlkv.host.capacity;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.host.presence.DigestTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes and the last uses of a store's objects, by digest. A count of the whole store runs beside the changes and replaces what
 * was known before, so that what other processes store and delete comes in. Thread-safe.
 */
final class Ledger {
    private static final int MAX_ENTRIES = 50_000_000;
    private static final int SWEEP_STEP = 4096;

    private final long start = System.nanoTime();
    private final DigestTable uses = new DigestTable();
    private final Map<HashValue128, Integer> readers = new HashMap<>();
    private final Map<HashValue128, Boolean> deletedDuringCount = new HashMap<>();
    private DigestTable lengths = new DigestTable();
    private DigestTable counted;
    private long used;
    private long countedBytes;
    private long reserved;

    /** Takes room for bytes to come. False if {@code limit} would be passed. */
    synchronized boolean reserve(long bytes, long limit) {
        if (used + reserved + bytes > limit) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    synchronized void release(long bytes) {
        reserved -= bytes;
    }

    /** Whether an object is known to be stored. */
    synchronized boolean knows(HashValue128 object) {
        return lengths.get(object.getMostSignificantBits(), object.getLeastSignificantBits()) != DigestTable.NONE;
    }

    /** An object was stored with {@code bytes} bytes, or found with them. */
    synchronized void put(HashValue128 object, long bytes) {
        used += change(lengths, object, bytes);
        if (counted != null) {
            countedBytes += change(counted, object, bytes);
            deletedDuringCount.remove(object);
        }
    }

    private static long change(DigestTable table, HashValue128 object, long bytes) {
        if (table.size() >= MAX_ENTRIES) {
            return bytes;
        }
        int before = table.put(object.getMostSignificantBits(), object.getLeastSignificantBits(), (int) bytes);
        return bytes - Math.max(0, before);
    }

    /** An object is gone. */
    synchronized void remove(HashValue128 object) {
        uses.remove(object.getMostSignificantBits(), object.getLeastSignificantBits());
        used -= Math.max(0, lengths.remove(object.getMostSignificantBits(), object.getLeastSignificantBits()));
        if (counted != null) {
            countedBytes -=
                    Math.max(0, counted.remove(object.getMostSignificantBits(), object.getLeastSignificantBits()));
            deletedDuringCount.put(object, true);
        }
    }

    synchronized void beginCount() {
        counted = new DigestTable(lengths.size());
        countedBytes = 0;
        deletedDuringCount.clear();
    }

    /** The count came across an object. */
    synchronized void count(HashValue128 object, long bytes) {
        boolean changed = deletedDuringCount.containsKey(object)
                || counted.get(object.getMostSignificantBits(), object.getLeastSignificantBits()) != DigestTable.NONE;
        if (!changed) {
            countedBytes += change(counted, object, bytes);
        }
    }

    /** @param whole whether the count came to its end; otherwise it is forgotten */
    synchronized void endCount(boolean whole) {
        if (whole) {
            lengths = counted;
            used = countedBytes;
        }
        counted = null;
        deletedDuringCount.clear();
    }

    /** Objects that a running count has come across. */
    synchronized int countedSoFar() {
        return counted == null ? 0 : counted.size();
    }

    /** An object is used now. @param leased whether somebody counts on it, after a lookup or a load */
    synchronized void use(HashValue128 object, boolean leased) {
        if (uses.size() < MAX_ENTRIES) {
            int before = uses.get(object.getMostSignificantBits(), object.getLeastSignificantBits());
            boolean stays = leased || before != DigestTable.NONE && (before & 1) == 1;
            int use = seconds() << 1 | (stays ? 1 : 0);
            uses.put(object.getMostSignificantBits(), object.getLeastSignificantBits(), use);
        }
    }

    /** An object turned out not to be stored. Its use is forgotten, unless it is in the account or somebody counts on it. */
    synchronized void forget(HashValue128 object, Duration lease) {
        if (!knows(object) && !isLeased(object, lease)) {
            uses.remove(object.getMostSignificantBits(), object.getLeastSignificantBits());
        }
    }

    /**
     * Forgets the uses of all objects that are not in the account and were not used within {@code lease}: so long a put may be under
     * way. In steps, between which others get at the ledger.
     */
    void forgetOthers(Duration lease) {
        for (int place = 0; place != DigestTable.NONE; ) {
            synchronized (this) {
                place = uses.removeIf(place, SWEEP_STEP, (high, low) -> {
                    HashValue128 object = new HashValue128(high, low);
                    return !knows(object) && secondsUnused(object) >= lease.toSeconds();
                });
            }
        }
    }

    /** Objects whose last use is known. */
    synchronized int uses() {
        return uses.size();
    }

    synchronized void reading(HashValue128 object) {
        readers.merge(object, 1, Integer::sum);
    }

    synchronized void read(HashValue128 object) {
        readers.computeIfPresent(object, (same, count) -> count == 1 ? null : count - 1);
    }

    /** Seconds since the last use in this process; {@link Long#MAX_VALUE} if there was none. */
    synchronized long secondsUnused(HashValue128 object) {
        int use = uses.get(object.getMostSignificantBits(), object.getLeastSignificantBits());
        return use == DigestTable.NONE ? Long.MAX_VALUE : seconds() - (use >> 1);
    }

    /** Whether an object is being read, or somebody has counted on it within {@code lease}. */
    synchronized boolean isLeased(HashValue128 object, Duration lease) {
        int use = uses.get(object.getMostSignificantBits(), object.getLeastSignificantBits());
        boolean leased = use != DigestTable.NONE && (use & 1) == 1;
        return readers.containsKey(object) || leased && seconds() - (use >> 1) < lease.toSeconds();
    }

    private int seconds() {
        return (int) ((System.nanoTime() - start) / 1_000_000_000L);
    }

    synchronized long used() {
        return used;
    }

    synchronized long objects() {
        return lengths.size();
    }
}
