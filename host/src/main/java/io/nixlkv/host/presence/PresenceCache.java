package io.nixlkv.host.presence;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;
import java.util.function.ToLongFunction;

/**
 * The names that are known to be stored, with their lengths. Bounded: what does not fit is not remembered, which costs a question
 * to the store and no more. Thread-safe.
 */
public final class PresenceCache {
    /** {@link #length} of a name that is not known. */
    public static final int UNKNOWN = DigestTable.NONE;

    private static final int SHARDS = 64;
    private static final int BYTES_PER_KEY = 40;

    private final DigestTable[] shards = new DigestTable[SHARDS];
    private final StampedLock[] locks = new StampedLock[SHARDS];
    private final int maxKeysPerShard;
    private final LongAdder forgone = new LongAdder();

    /** @param maxBytes memory it may take */
    public PresenceCache(long maxBytes) {
        maxKeysPerShard = (int) Math.max(1, Math.min(Integer.MAX_VALUE / 4, maxBytes / BYTES_PER_KEY / SHARDS));
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new DigestTable();
            locks[i] = new StampedLock();
        }
    }

    /** The stored length of a name, or {@link #UNKNOWN}; 0 if it is stored with a length that nobody told. */
    public int length(HashValue128 name) {
        int shard = shard(name);
        StampedLock lock = locks[shard];
        // Without a lock's barrier the misses of neighbouring keys in memory overlap.
        long stamp = lock.tryOptimisticRead();
        int length = shards[shard].peek(name.getMostSignificantBits(), name.getLeastSignificantBits());
        if (lock.validate(stamp)) {
            return length;
        }
        stamp = lock.readLock();
        try {
            return shards[shard].get(name.getMostSignificantBits(), name.getLeastSignificantBits());
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Remembers a name. @param length stored bytes; 0 if unknown */
    public void add(HashValue128 name, int length) {
        int shard = shard(name);
        long high = name.getMostSignificantBits();
        long low = name.getLeastSignificantBits();
        long stamp = locks[shard].writeLock();
        try {
            DigestTable table = shards[shard];
            if (table.size() < maxKeysPerShard || table.get(high, low) != UNKNOWN) {
                table.put(high, low, length);
            } else {
                forgone.increment();
            }
        } finally {
            locks[shard].unlockWrite(stamp);
        }
    }

    /** Forgets a name. */
    public void remove(HashValue128 name) {
        int shard = shard(name);
        long stamp = locks[shard].writeLock();
        try {
            shards[shard].remove(name.getMostSignificantBits(), name.getLeastSignificantBits());
        } finally {
            locks[shard].unlockWrite(stamp);
        }
    }

    /** Names known. */
    public long size() {
        return sum(DigestTable::size);
    }

    /** Bytes of memory. */
    public long bytes() {
        return sum(DigestTable::bytes);
    }

    private long sum(ToLongFunction<DigestTable> number) {
        long sum = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            long stamp = locks[shard].readLock();
            try {
                sum += number.applyAsLong(shards[shard]);
            } finally {
                locks[shard].unlockRead(stamp);
            }
        }
        return sum;
    }

    /** Names not remembered for want of memory. */
    public long forgone() {
        return forgone.sum();
    }

    private static int shard(HashValue128 name) {
        return (int) (name.getLeastSignificantBits() >>> 58);
    }
}
