package io.nixlkv.api.hicache;

/**
 * Whose pages these are; part of every object's name.
 *
 * @param model model name, as the engine calls it; {@code /} becomes {@code -} in names
 * @param tpRank rank of this process
 * @param tpSize at least 1, above the rank
 * @param mla whether the ranks share the KV pages (multi-head latent attention): names have no rank, and rank 0 alone writes
 */
public record HiCacheIdentity(String model, int tpRank, int tpSize, boolean mla) {

    /** @throws IllegalArgumentException if the rank is not below the size */
    public HiCacheIdentity {
        if (tpRank < 0 || tpRank >= tpSize) {
            throw new IllegalArgumentException("rank must be below size: " + tpRank + " of " + tpSize);
        }
    }

    /** A model on one rank that has keys and values. */
    public static HiCacheIdentity of(String model) {
        return new HiCacheIdentity(model, 0, 1, false);
    }

    /** Which objects a page consists of. */
    public PageObjects objects(boolean zeroCopy) {
        return new PageObjects(model, tpRank, tpSize, mla, zeroCopy);
    }

    /** Whether this rank leaves the writing of shared pages to rank 0. */
    public boolean skipsBackup() {
        return mla && tpRank != 0;
    }
}
