package io.nixlkv.host.config;

import java.util.Set;

/** The keys of an LMCache file that concern its NIXL storage, by the place they belong to. */
final class LmcacheKeys {
    static final String EXTRA = "extra_config";

    /** Holds JSON with keys of {@code extra_config} that the file does not have. */
    static final String EXTRA_VARIABLE = "LMCACHE_EXTRA_CONFIG";

    static final Set<String> TOP = Set.of(
            "chunk_size",
            "nixl_buffer_device",
            "nixl_buffer_size",
            "max_local_cpu_size",
            "local_cpu",
            "local_cpu_use_hugepages",
            "enable_p2p",
            "enable_async_loading",
            "save_unfull_chunk",
            EXTRA);

    static final Set<String> INSIDE = Set.of(
            "enable_nixl_storage",
            "nixl_backend",
            "nixl_backend_params",
            "nixl_pool_size",
            "nixl_file_pool_size",
            "nixl_path",
            "nixl_path_sharding",
            "nixl_presence_cache",
            "nixl_presence_cache_only",
            "nixl_async_put",
            "nixl_endpoint_list",
            "nixl_enable_prog_thread",
            "nixl_sync_mode",
            "nixl_use_hugepages",
            HostKeys.USE_DIRECT_IO);

    /** Keys by which a file is known as LMCache's although it has no {@code extra_config}. */
    static final Set<String> MARKS =
            Set.of("chunk_size", "local_cpu", "max_local_cpu_size", "local_disk", "remote_url", "save_unfull_chunk");

    static final Set<String> FILE_BACKENDS = Set.of("POSIX", "GDS", "GDS_MT", "HF3FS");
    static final Set<String> OBJECT_BACKENDS = Set.of("OBJ", "AZURE_BLOB", "DOCA_MEMOS");

    /** Backends whose memory may be on a GPU. */
    static final Set<String> DEVICE_BACKENDS = Set.of("GDS", "GDS_MT", "OBJ");

    private LmcacheKeys() {}
}
