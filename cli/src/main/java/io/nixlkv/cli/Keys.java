package io.nixlkv.cli;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.ArrayList;
import java.util.List;

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

    static List<KvKey> parse(KvStore store, List<String> texts) {
        List<KvKey> keys = new ArrayList<>(texts.size());
        for (String text : texts) {
            keys.add(parse(store, text));
        }
        return keys;
    }
}
