package io.nixlkv.api.hicache;

import java.util.Map;

/**
 * How long a prefix is usable.
 *
 * @param pages leading pages that the KV pool and every side pool have
 * @param kvPages leading pages of the KV pool alone
 * @param poolPages the boundary of each side pool that was asked, by its name
 */
public record PoolHits(int pages, int kvPages, Map<String, Integer> poolPages) {
    public PoolHits {
        poolPages = Map.copyOf(poolPages);
    }
}
