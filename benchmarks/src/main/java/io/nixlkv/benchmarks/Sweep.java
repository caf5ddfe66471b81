package io.nixlkv.benchmarks;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes objects for those who cannot.
 *
 * @param store with layout {@code raw}, so that it lists everybody's objects; closed with this
 */
record Sweep(KvStore store) implements AutoCloseable {
    private static final int BATCH = 1000;

    /**
     * Removes everything the store lists.
     *
     * @return how many objects
     * @throws ContenderException if the store does not list them, or keeps one
     */
    int everything() {
        try {
            List<KvKey> left = new ArrayList<>();
            store.list("", (key, length, lastUseMillis) -> left.add(key));
            for (int from = 0; from < left.size(); from += BATCH) {
                requireGone(store.delete(left.subList(from, Math.min(left.size(), from + BATCH)), CallOptions.DEFAULT));
            }
            return left.size();
        } catch (StorageException e) {
            throw new ContenderException("objects could not be removed: " + e.getMessage(), e);
        }
    }

    private static void requireGone(BatchResult deleted) {
        for (int i = 0; i < deleted.size(); i++) {
            Status status = deleted.get(i).status();
            if (status != Status.DONE && status != Status.MISSING) {
                throw new ContenderException("objects could not be removed: " + status + " "
                        + deleted.get(i).reason());
            }
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
