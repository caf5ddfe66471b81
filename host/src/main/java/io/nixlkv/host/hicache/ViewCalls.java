package io.nixlkv.host.hicache;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What all calls of a view share: the store, whose pages, and how long a call may take. */
record ViewCalls(KvStore store, HiCacheIdentity identity, Duration patience) {

    /** Longer than anybody waits, and short enough for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    long deadline() {
        return System.nanoTime() + (patience.compareTo(LONGEST) < 0 ? patience : LONGEST).toNanos();
    }

    /** Every page has its own result, and what is left of the time. */
    static CallOptions within(long deadline) {
        return CallOptions.DEFAULT
                .with(Atomicity.PER_OBJECT)
                .with(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }

    /** @throws StorageException INVALID if hashes and what belongs to them are not equally many, or a hash is there twice */
    static void requireFit(List<String> hashes, int others, String what) {
        if (hashes.size() != others) {
            throw new StorageException(
                    Status.INVALID, hashes.size() + " page hashes for " + others + " " + what + "; give one for each");
        }
        Set<String> seen = new HashSet<>(hashes.size() * 2);
        for (String hash : hashes) {
            if (!seen.add(hash)) {
                throw new StorageException(Status.INVALID, "page " + hash + " is twice in the batch");
            }
        }
    }
}
