package io.nixlkv.benchmarks;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes objects for those who cannot.
 *
 * @param store with layout {@code raw}, so that it lists everybody's objects; closed with this
 */
record Sweep(KvStore store) implements AutoCloseable {
    private static final int BATCH = 1000;

    /** Removes everything the store lists. @return how many objects */
    int everything() {
        List<KvKey> left = new ArrayList<>();
        store.list("", (key, length, lastUseMillis) -> left.add(key));
        for (int from = 0; from < left.size(); from += BATCH) {
            store.delete(left.subList(from, Math.min(left.size(), from + BATCH)), CallOptions.DEFAULT);
        }
        return left.size();
    }

    @Override
    public void close() {
        store.close();
    }
}
