package io.nixlkv.api.hicache;

/**
 * Which pages of a side pool a prefix of KV pages needs to be usable.
 *
 * @param pool name of a registered side pool
 * @param policy which pages must be there
 * @param trailing number of last pages that {@code TRAILING_PAGES} needs, at least 1; ignored by the other policy
 */
public record PoolQuery(String pool, Policy policy, int trailing) {

    /** SGLang's hit policies that limit a prefix. */
    public enum Policy {
        /** Every page of the prefix. */
        ALL_PAGES,
        /** The last pages of the prefix, as with states that replace each other. */
        TRAILING_PAGES
    }

    /** @throws IllegalArgumentException if fewer than one trailing page is asked for */
    public PoolQuery {
        if (trailing < 1) {
            throw new IllegalArgumentException("a prefix has at least one last page: " + trailing);
        }
    }

    /** Every page must be there. */
    public static PoolQuery allPages(String pool) {
        return new PoolQuery(pool, Policy.ALL_PAGES, 1);
    }

    /** The last {@code count} pages must be there. */
    public static PoolQuery trailingPages(String pool, int count) {
        return new PoolQuery(pool, Policy.TRAILING_PAGES, count);
    }
}
