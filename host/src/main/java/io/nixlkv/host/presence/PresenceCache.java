package io.nixlkv.host.presence;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.util.concurrent.atomic.LongAdder;

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
    private final int maxKeysPerShard;
    private final LongAdder forgone = new LongAdder();

    /** @param maxBytes memory it may take */
    public PresenceCache(long maxBytes) {
        maxKeysPerShard = (int) Math.max(1, Math.min(Integer.MAX_VALUE / 4, maxBytes / BYTES_PER_KEY / SHARDS));
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new DigestTable();
        }
    }

    /** The stored length of a name, or {@link #UNKNOWN}; 0 if it is stored with a length that nobody told. */
    public int length(HashValue128 name) {
        DigestTable shard = shard(name);
        synchronized (shard) {
            return shard.get(name.getMostSignificantBits(), name.getLeastSignificantBits());
        }
    }

    /** Remembers a name. @param length stored bytes; 0 if unknown */
    public void add(HashValue128 name, int length) {
        DigestTable shard = shard(name);
        synchronized (shard) {
            long high = name.getMostSignificantBits();
            long low = name.getLeastSignificantBits();
            if (shard.size() < maxKeysPerShard || shard.get(high, low) != UNKNOWN) {
                shard.put(high, low, length);
                return;
            }
        }
        forgone.increment();
    }

    /** Forgets a name. */
    public void remove(HashValue128 name) {
        DigestTable shard = shard(name);
        synchronized (shard) {
            shard.remove(name.getMostSignificantBits(), name.getLeastSignificantBits());
        }
    }

    /** Names known. */
    public long size() {
        long size = 0;
        for (DigestTable shard : shards) {
            synchronized (shard) {
                size += shard.size();
            }
        }
        return size;
    }

    /** Bytes of memory. */
    public long bytes() {
        long bytes = 0;
        for (DigestTable shard : shards) {
            synchronized (shard) {
                bytes += shard.bytes();
            }
        }
        return bytes;
    }

    /** Names not remembered for want of memory. */
    public long forgone() {
        return forgone.sum();
    }

    private DigestTable shard(HashValue128 name) {
        return shards[(int) (name.getLeastSignificantBits() >>> 58)];
    }
}
