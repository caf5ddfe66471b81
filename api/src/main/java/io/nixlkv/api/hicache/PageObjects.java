package io.nixlkv.api.hicache;

import io.nixlkv.api.PageKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Which objects SGLang's NIXL connector makes of a page ({@code HiCacheNixl} in SGLang 0.5.23). Immutable.
 *
 * @param model model name
 * @param tpRank rank of the process
 * @param tpSize at least 1, above the rank
 * @param mla whether the ranks share the KV pages, whose names then have no rank
 * @param zeroCopy whether K and V are objects of their own; otherwise a page is copied into one object under another name
 */
public record PageObjects(String model, int tpRank, int tpSize, boolean mla, boolean zeroCopy) {
    private static final String MAMBA = "mamba";

    /** @throws IllegalArgumentException if the rank is not below the size */
    public PageObjects {
        if (tpRank < 0 || tpRank >= tpSize) {
            throw new IllegalArgumentException("rank must be below size: " + tpRank + " of " + tpSize);
        }
    }

    /** Whether a host pool of this layout is transferred without copies, as far as the layout decides. */
    public static boolean isZeroCopy(String hostLayout) {
        return hostLayout.equals("page_first") || hostLayout.equals("page_first_direct");
    }

    /** The object of a whole page, as copied pages and tensors are stored. */
    public PageKey whole(String pageHash) {
        return kv(pageHash, "");
    }

    /** The objects of a page of the KV pool, K before V. */
    public List<PageKey> ofKv(String pageHash) {
        if (!zeroCopy) {
            return List.of(whole(pageHash));
        }
        return mla ? List.of(kv(pageHash, "k")) : List.of(kv(pageHash, "k"), kv(pageHash, "v"));
    }

    /**
     * The objects of a page of a side pool, in SGLang's order.
     *
     * @param parts number of the pool's buffers; 1 where pages are copied
     */
    public List<PageKey> ofSidePool(String pageHash, String pool, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("a pool has at least one buffer: " + parts);
        }
        boolean ranked = !isShared(pool);
        List<PageKey> keys = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
            keys.add(
                    new PageKey(pageHash, model, ranked ? tpRank : 0, ranked ? tpSize : 0, pool, part(pool, parts, i)));
        }
        return keys;
    }

    /** Whether ranks share the objects of a side pool; Mamba's state differs between ranks even where the KV pages do not. */
    public boolean isShared(String pool) {
        return mla && !pool.equals(MAMBA);
    }

    private static String part(String pool, int parts, int index) {
        if (parts == 1) {
            return "";
        }
        if (pool.equals(MAMBA)) {
            return index == 0 ? "temporal" : "conv_" + (index - 1);
        }
        return parts == 2 ? index == 0 ? "k" : "v" : Integer.toString(index);
    }

    private PageKey kv(String pageHash, String part) {
        return new PageKey(pageHash, model, mla ? 0 : tpRank, mla ? 0 : tpSize, part);
    }
}
