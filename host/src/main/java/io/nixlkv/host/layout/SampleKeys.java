package io.nixlkv.host.layout;

import io.nixlkv.api.EngineKey;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.LayoutSettings;
import io.nixlkv.host.config.StoreSettings;

/** Makes keys of a store's own kind, for objects that only measure or probe the store. Immutable. */
public final class SampleKeys {
    private static final int PAGE_HASH_CHARS = 64;

    private final String layout;
    private final LayoutSettings more;

    /** Keys for a store with these settings. */
    public SampleKeys(StoreSettings settings) {
        layout = settings.layout();
        more = settings.layoutSettings();
    }

    /**
     * A key; different hashes give different ones.
     *
     * @param model model name; the store's own where it has one
     * @param rank not negative
     * @param hash 1 to 64 lower-case hex digits, an even number
     */
    public KvKey key(String model, long rank, String hash) {
        String owner = more.modelIfGiven().orElse(model);
        return switch (layout) {
            case LmcacheEngineLayout.ID, DocaMemosLayout.ID -> new EngineKey(owner, 1, 0, hash, "uint8");
            case HicacheLayout.ID ->
                new PageKey(
                        "0".repeat(PAGE_HASH_CHARS - hash.length()) + hash,
                        owner,
                        more.mla() ? 0 : more.tpRank(),
                        more.mla() ? 0 : more.tpSize(),
                        "");
            case RawLayout.ID -> new RawKey(new ObjectKey(model, rank, 0, hash).text());
            case LmcacheDynamicLayout.ID -> new ObjectKey(owner, rank, 0, hash);
            default -> new ObjectKey(model, rank, 0, hash);
        };
    }
}
