package io.nixlkv.cli;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads keys from the command line. */
final class Keys {
    private Keys() {}

    /** @throws UsageException if the store's layout has no such key */
    static KvKey parse(KvStore store, String text) {
        try {
            return store.key(text);
        } catch (StorageException refused) {
            if (refused.status() == Status.INVALID) {
                throw new UsageException("KEY: " + refused.getMessage(), refused);
            }
            throw refused;
        }
    }

    /** @throws UsageException if the store's layout has no such key, or a key is given twice */
    static List<KvKey> parse(KvStore store, List<String> texts) {
        Set<KvKey> keys = new LinkedHashSet<>();
        for (String text : texts) {
            if (!keys.add(parse(store, text))) {
                throw new UsageException("KEY: " + text + " is given twice; give every key once");
            }
        }
        return List.copyOf(keys);
    }
}
