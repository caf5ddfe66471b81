package io.nixlkv.host.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.ClearResult;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes one model's objects: rounds of a listing that collects a limited number of keys, and batches of deletes. A round that reaches
 * the end of the listing is the last. For one call.
 */
final class ModelClear {
    private static final int ROUND = 50_000;
    private static final int BATCH = 512;

    private final KvStore store;
    private final ModelNames names;
    private final long deadline;
    private final Set<KvKey> failed = new HashSet<>();
    private long deleted;
    private String failure = "";
    private String ending = "";

    ModelClear(KvStore store, ModelNames names, Duration patience) {
        this.store = store;
        this.names = names;
        deadline = System.nanoTime() + patience.toNanos();
    }

    /** The keys of one listing, which may go on for a moment after it was given up. */
    private static final class Found {
        private final List<KvKey> keys = new ArrayList<>();
        private boolean taken;

        synchronized boolean add(KvKey key) {
            if (!taken) {
                keys.add(key);
            }
            return !taken && keys.size() < ROUND;
        }

        synchronized List<KvKey> take() {
            taken = true;
            return keys;
        }
    }

    ClearResult run() {
        while (true) {
            ending = "";
            Found found = new Found();
            boolean listed = list(found);
            List<KvKey> keys = found.take();
            boolean complete = delete(keys) && listed && keys.size() < ROUND;
            if (complete || keys.isEmpty() || isLate()) {
                return new ClearResult(deleted, failed.size(), complete, failure.isEmpty() ? ending : failure);
            }
        }
    }

    /** Whether the listing went as far as it was wanted. */
    private boolean list(Found found) {
        try {
            store.list("", (key, length, lastUse) -> !isLate() && (!isOwn(key) || found.add(key)));
            return !isLate();
        } catch (StorageException late) {
            if (late.status() != Status.TIMED_OUT) {
                throw late;
            }
            ending = late.getMessage();
            return false;
        }
    }

    private boolean isOwn(KvKey key) {
        return key instanceof PageKey && names.isOfModel(key.text()) && !failed.contains(key);
    }

    /** False if the time was over before every key was tried. */
    private boolean delete(List<KvKey> keys) {
        for (int from = 0; from < keys.size(); from += BATCH) {
            if (isLate()) {
                ending = "the time to clear was over; clear again";
                return false;
            }
            List<KvKey> batch = keys.subList(from, Math.min(from + BATCH, keys.size()));
            BatchResult results = store.delete(batch, ViewCalls.within(deadline));
            for (int i = 0; i < batch.size(); i++) {
                count(batch.get(i), results.get(i));
            }
        }
        return true;
    }

    private void count(KvKey key, ObjectResult result) {
        if (result.ok()) {
            deleted++;
        } else if (result.status() != Status.MISSING) {
            // somebody else's delete is as good as ours; a failure is not tried again
            failed.add(key);
            failure = failure.isEmpty() ? result.reason() : failure;
        }
    }

    private boolean isLate() {
        return System.nanoTime() - deadline >= 0;
    }
}
