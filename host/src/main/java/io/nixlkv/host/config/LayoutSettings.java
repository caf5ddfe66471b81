package io.nixlkv.host.config;

import io.nixlkv.api.hicache.HiCacheIdentity;
import java.util.List;
import java.util.Optional;

/**
 * What layouts need to know that their names do not hold.
 *
 * @param model the store's one model; empty for any
 * @param tpRank tensor-parallel rank, below the size
 * @param tpSize tensor-parallel size, at least 1
 * @param mla whether ranks share KV pages
 * @param hostLayout SGLang's layout of the host pool, such as {@code page_first}
 * @param sidePools side pools beside those that SGLang 0.5.23 has
 * @param hashLongNames whether names with parts over 255 bytes are shortened, not refused
 */
public record LayoutSettings(
        String model,
        int tpRank,
        int tpSize,
        boolean mla,
        String hostLayout,
        List<String> sidePools,
        boolean hashLongNames) {
    /** Any model, rank 0 of 1. */
    public static final LayoutSettings NONE = new LayoutSettings("", 0, 1, false, "layer_first", List.of(), false);

    public LayoutSettings {
        sidePools = List.copyOf(sidePools);
    }

    /** The model, if the store has one. */
    public Optional<String> modelIfGiven() {
        return model.isEmpty() ? Optional.empty() : Optional.of(model);
    }

    /** Whose pages a store of layout {@code hicache} holds. */
    public HiCacheIdentity identity() {
        return new HiCacheIdentity(model, tpRank, tpSize, mla);
    }

    /** These settings with another model. */
    public LayoutSettings withModel(String other) {
        return new LayoutSettings(other, tpRank, tpSize, mla, hostLayout, sidePools, hashLongNames);
    }
}
