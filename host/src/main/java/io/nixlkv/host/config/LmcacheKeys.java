package io.nixlkv.host.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The keys of an LMCache file that concern its NIXL storage, by the place they belong to, with their rules. */
final class LmcacheKeys {
    static final String EXTRA = "extra_config";

    /** Holds JSON with keys of {@code extra_config} that the file does not have. */
    static final String EXTRA_VARIABLE = "LMCACHE_EXTRA_CONFIG";

    static final Map<String, String> TOP = table(
            EXTRA,
            "Mapping of the keys below.",
            "nixl_buffer_device",
            "Required: `cpu`, or `cuda` or `cuda:N` with GDS, GDS_MT or OBJ. Gives `store.buffer_device`.",
            "nixl_buffer_size",
            "Bytes of GPU memory; required with `cuda`, refused with `cpu`. Gives `store.buffer_bytes`.",
            "max_local_cpu_size",
            "GiB of memory for transfers, above 0; default 5.0. Gives `store.arena_gb`.",
            "local_cpu",
            "Keep recently used objects in the memory for transfers; default true. Gives `store.local_cpu`.",
            "local_cpu_use_hugepages",
            "Gives `store.hugepages`.",
            "enable_p2p",
            "Must be `false` with `nixl_buffer_device: cpu`.",
            "enable_async_loading",
            "Accepted; selects nothing.",
            "save_unfull_chunk",
            "Must be `false` with `nixl_pool_size: 0`.",
            "chunk_size",
            "Tokens of a chunk; sizes the slots of a pool, without effect with `nixl_pool_size: 0`.");

    static final Map<String, String> INSIDE = table(
            "enable_nixl_storage",
            "Must be `true`.",
            "nixl_backend",
            "Required: one of GDS, GDS_MT, POSIX, HF3FS (`3FS`), OBJ, AZURE_BLOB, DOCA_MEMOS.",
            "nixl_backend_params",
            "Mapping of the plugin's own keys, see its table. A secret loads with a warning.",
            "nixl_pool_size",
            "Required: 0 for names made per transfer, above 0 for a static pool of that many slots. Gives"
                    + " `store.pool_size`.",
            "slot_bytes",
            "Not LMCache's, which knows its model: bytes of one slot, required with a pool. Gives `store.slot_bytes`.",
            "nixl_file_pool_size",
            "Old name of `nixl_pool_size`: accepted with a warning.",
            "nixl_path",
            "Directory, or a list; required for GDS, GDS_MT, POSIX and HF3FS. Gives `file_path`.",
            "nixl_path_sharding",
            "`by_gpu`: of several paths the one of `LOCAL_RANK`, which they always mean. Gives `store.path_sharding`.",
            HostKeys.USE_DIRECT_IO,
            "Boolean; default false.",
            "nixl_presence_cache",
            "Boolean; default false. Gives `store.presence_cache`.",
            "nixl_presence_cache_only",
            "Needs `nixl_presence_cache: true`. Gives `store.presence_cache_only`.",
            "nixl_async_put",
            "Boolean; default false. Gives `store.async_put`.",
            "nixl_endpoint_list",
            "List of `http://` or `https://` endpoints, for OBJ; each worker uses one. Gives `store.endpoint_list`.",
            "nixl_enable_prog_thread",
            "Boolean, for engine `nixl` only.",
            "nixl_sync_mode",
            "NONE, STRICT, RW or DEFAULT, for engine `nixl` only.",
            "nixl_use_hugepages",
            "Old name of `local_cpu_use_hugepages`: accepted with a warning.");

    /** Keys by which a file is known as LMCache's although it has no {@code extra_config}. */
    static final Set<String> MARKS =
            Set.of("chunk_size", "local_cpu", "max_local_cpu_size", "local_disk", "remote_url", "save_unfull_chunk");

    static final Set<String> FILE_BACKENDS = Set.of("POSIX", "GDS", "GDS_MT", "HF3FS");
    static final Set<String> OBJECT_BACKENDS = Set.of("OBJ", "AZURE_BLOB", "DOCA_MEMOS");

    /** Backends whose memory may be on a GPU. */
    static final Set<String> DEVICE_BACKENDS = Set.of("GDS", "GDS_MT", "OBJ");

    private LmcacheKeys() {}

    /** In the order given. */
    static Map<String, String> table(String... keysAndRules) {
        Map<String, String> table = new LinkedHashMap<>();
        for (int i = 0; i < keysAndRules.length; i += 2) {
            table.put(keysAndRules[i], keysAndRules[i + 1]);
        }
        return java.util.Collections.unmodifiableMap(table);
    }
}
