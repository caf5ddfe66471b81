package io.nixlkv.api;

import java.util.Objects;

/**
 * A key and the memory that holds, or receives, its value.
 *
 * @param key identity
 * @param slice memory in the store's arena; must stay leased until the call's result is there
 */
public record KvObject(KvKey key, KvSlice slice) {
    public KvObject {
        Objects.requireNonNull(key);
        Objects.requireNonNull(slice);
    }
}
