package io.nixlkv.api.hicache;

import java.util.List;

/**
 * Pages of one side pool to store or load.
 *
 * @param pool name of a registered side pool, such as {@code mamba}
 * @param pageHashes the pages' hashes
 * @param pages page numbers in the pool, one for each hash
 */
public record PoolTransfer(String pool, List<String> pageHashes, int... pages) {
    public PoolTransfer {
        pageHashes = List.copyOf(pageHashes);
        pages = pages.clone();
    }

    @Override
    public int[] pages() {
        return pages.clone();
    }
}
