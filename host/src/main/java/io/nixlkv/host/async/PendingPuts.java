package io.nixlkv.host.async;

import io.nixlkv.api.KvKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The puts under way, which lookups and loads see: at most one of a key, that whose turn it is. Thread-safe. */
final class PendingPuts {
    private final Map<KvKey, PendingPut> byKey = new ConcurrentHashMap<>();

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    int size() {
        return byKey.size();
    }

    /** {@code null} if no put of this key is under way. */
    PendingPut get(KvKey key) {
        return byKey.get(key);
    }

    void enter(List<PendingPut> puts) {
        puts.forEach(put -> byKey.put(put.key(), put));
    }

    /** The values of these puts are no longer read. */
    void leave(List<PendingPut> puts) {
        for (PendingPut put : puts) {
            put.release();
            byKey.remove(put.key(), put);
        }
    }
}
