package io.nixlkv.it;

import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PageObjects;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.hicache.HiCacheView;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores, loads or looks up pages through the HiCache view, as {@code benchmarks/peers sglang-check} does with SGLang's own connector:
 * the same verbs, options and contents. {@code .ci/sglang-both-ways} lets each read what the other wrote.
 */
final class HiCachePeer {
    private final Map<String, String> options = new HashMap<>(Map.of(
            "model",
            "org/model",
            "tp_rank",
            "0",
            "tp_size",
            "1",
            "mla",
            "false",
            "layout",
            "page_first",
            "direct",
            "false"));
    private final String directories;
    private final int count;
    private final int bytes;

    private HiCachePeer(String[] arguments) {
        directories = arguments[1];
        count = Integer.parseInt(arguments[2]);
        bytes = Integer.parseInt(arguments[3]);
        for (String option : List.of(arguments).subList(4, arguments.length)) {
            String[] pair = option.split("=", 2);
            if (options.put(pair[0], pair[1]) == null) {
                throw new IllegalArgumentException("there is no option " + pair[0]);
            }
        }
    }

    private boolean flag(String option) {
        return Boolean.parseBoolean(options.get(option));
    }

    private HiCacheIdentity identity() {
        return new HiCacheIdentity(
                options.get("model"),
                Integer.parseInt(options.get("tp_rank")),
                Integer.parseInt(options.get("tp_size")),
                flag("mla"));
    }

    private HostPool pool(KvStore store) {
        String layout = options.get("layout");
        if (!PageObjects.isZeroCopy(layout)) {
            return new StridedPool(
                    layout,
                    count,
                    List.of(new StridedPool.Run(ByteBuffer.allocateDirect(count * bytes), 0, bytes, bytes)));
        }
        return flag("mla")
                ? ArenaPool.lease(store.arena(), layout, count, bytes)
                : ArenaPool.lease(store.arena(), layout, count, bytes, bytes);
    }

    /** Object {@code m} of the run holds the pattern of {@code m}; a page with two parts is two objects. */
    private ByteBuffer page(HostPool pool, int page) {
        ByteBuffer flat = ByteBuffer.allocate(pool.pageBytes());
        int objects = pool.pageBytes() / bytes;
        for (int part = 0; part < objects; part++) {
            flat.put(HiCacheRig.content(page * objects + part, bytes));
        }
        return flat.flip();
    }

    private boolean run(String verb) {
        try (PackedHost host = new PackedHost();
                KvStore store = host.posix(directories, flag("direct"), "layout = \"hicache\"");
                HiCache view = HiCacheView.over(store, identity(), HiCacheOptions.DEFAULT)) {
            HostPool pool = pool(store);
            view.register(pool);
            List<String> hashes = HiCacheRig.hashes(count);
            int[] pages = HiCacheRig.pages(count);
            switch (verb) {
                case "write":
                    for (int page : pages) {
                        pool.copyIn(page, page(pool, page));
                    }
                    int stored = view.batchSetV1(hashes, pages).okCount();
                    System.out.println("{\"stored\": " + stored + "}");
                    return stored == count;
                case "read":
                    int loaded = view.batchGetV1(hashes, pages).okCount();
                    int right = 0;
                    for (int page : pages) {
                        ByteBuffer flat = ByteBuffer.allocate(pool.pageBytes());
                        pool.copyOut(page, flat);
                        right += flat.flip().equals(page(pool, page)) ? 1 : 0;
                    }
                    System.out.println("{\"loaded\": " + loaded + ", \"right\": " + right + "}");
                    return loaded == count && right == count;
                case "exists":
                    System.out.println("{\"leading_pages\": " + view.batchExists(hashes) + "}");
                    return true;
                default:
                    throw new IllegalArgumentException("write, read or exists, not " + verb);
            }
        }
    }

    public static void main(String[] arguments) {
        System.exit(new HiCachePeer(arguments).run(arguments[0]) ? 0 : 1);
    }
}
