package io.nixlkv.api.hicache;

import java.time.Duration;

/**
 * How a view behaves.
 *
 * @param deadline time one call may take, more than zero; {@code null} means the store's own setting
 * @param bouncePages pages of bounce memory for each direction of a pool that is copied; 0 takes what a quarter of the free arena holds, at
 *     least one and at most {@link #MAX_BOUNCE_PAGES}
 */
public record HiCacheOptions(Duration deadline, int bouncePages) {
    /** Bounce pages of SGLang's connector, and the most that are taken unasked. */
    public static final int MAX_BOUNCE_PAGES = 128;

    /** The store's deadline, bounce memory as the arena allows. */
    public static final HiCacheOptions DEFAULT = new HiCacheOptions(null, 0);

    /** @throws IllegalArgumentException if a value is out of range */
    public HiCacheOptions {
        if (deadline != null && (deadline.isNegative() || deadline.isZero())) {
            throw new IllegalArgumentException("a deadline must be more than zero: " + deadline);
        }
        if (bouncePages < 0) {
            throw new IllegalArgumentException("bounce pages must be 0 or more: " + bouncePages);
        }
    }

    /** These options with another deadline. */
    public HiCacheOptions with(Duration other) {
        return new HiCacheOptions(other, bouncePages);
    }

    /** These options with another number of bounce pages. */
    public HiCacheOptions withBouncePages(int pages) {
        return new HiCacheOptions(deadline, pages);
    }
}
