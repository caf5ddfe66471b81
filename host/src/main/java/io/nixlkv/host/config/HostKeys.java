package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The host's own keys as data. */
final class HostKeys {
    static final String BUFFER_DEVICE = "buffer_device";
    static final String BUFFER_BYTES = "buffer_bytes";
    static final String USE_DIRECT_IO = "use_direct_io";
    static final String CLEANER_ENABLED = "l3_cleaner_enabled";
    static final String HIGH_WATERMARK = "l3_cleaner_high_watermark";
    static final String LOW_WATERMARK = "l3_cleaner_low_watermark";
    static final String CLEANER_CAPACITY = "l3_cleaner_capacity_gb";

    /** Overrides the file (decision 16), unlike every other variable. */
    static final String DIRECT_IO_VARIABLE = "SGLANG_HICACHE_NIXL_USE_DIRECT_IO";

    /** Names a plugin when no table is active. */
    static final String PLUGIN_VARIABLE = "SGLANG_HICACHE_NIXL_BACKEND_PLUGIN";

    /** Variables that give no single key, with what they give. */
    static final Map<String, String> VARIABLES = Map.of(
            PLUGIN_VARIABLE,
            "Name of the plugin to use when no table is active; `auto` for the first usable one.",
            HostConfig.LMCACHE_FILE,
            "Path of the configuration when none is given.",
            LmcacheKeys.EXTRA_VARIABLE,
            "JSON with keys of LMCache's `extra_config` that the file does not have.");

    static final List<Parameter> TOP_LEVEL = List.of(
            Parameter.of(USE_DIRECT_IO, Type.BOOLEAN)
                    .defaultValue("true")
                    .environment(DIRECT_IO_VARIABLE)
                    .meaning("Bypass the page cache for files, item by item where alignment allows it."),
            Parameter.of(CLEANER_ENABLED, Type.BOOLEAN)
                    .meaning(
                            "Delete the objects not used for longest when a file system fills up; when not written, true for"
                                    + " dynamic file stores of layout hicache with tp_rank 0, in hosts that live on."),
            Parameter.of(HIGH_WATERMARK, Type.DECIMAL)
                    .defaultValue("80")
                    .meaning("Per cent of use from which on the cleaner deletes."),
            Parameter.of(LOW_WATERMARK, Type.DECIMAL)
                    .defaultValue("70")
                    .meaning("Per cent of use below which it stops."),
            Parameter.of(CLEANER_CAPACITY, Type.DECIMAL)
                    .atLeast(0)
                    .meaning(
                            "GiB of this store's own objects that the watermarks refer to, instead of the file systems'"
                                    + " sizes; 0 or not written: those."));

    static final List<Parameter> STORE = List.of(
            Parameter.of("layout", Type.CHOICE)
                    .choices("lmcache", "lmcache-dynamic", "lmcache-engine", "hicache", "doca-memos", "raw")
                    .defaultValue("lmcache")
                    .meaning("How keys are named in the store."),
            Parameter.of("mode", Type.CHOICE)
                    .choices("dynamic", "static")
                    .meaning("Follows from pool_size; if written it must agree with it."),
            Parameter.of("num_workers", Type.INTEGER)
                    .range(1, 256)
                    .defaultValue("4")
                    .meaning("Threads that transfer, each with a lane of its own."),
            Parameter.of("arena_gb", Type.DECIMAL)
                    .range(0, 65536)
                    .aliases("l1_size_gb", "max_local_cpu_size")
                    .defaultValue("1.0")
                    .meaning("GiB of memory for transfers."),
            Parameter.of(BUFFER_DEVICE, Type.STRING)
                    .aliases("nixl_buffer_device")
                    .defaultValue("cpu")
                    .meaning(
                            "Where the memory for transfers is: cpu, or cuda or cuda:N for the memory of a GPU, with an engine"
                                    + " that moves VRAM_SEG (nixlkv plugins lists them)."),
            Parameter.of(BUFFER_BYTES, Type.BYTES)
                    .range(1, 64L << 40)
                    .aliases("nixl_buffer_size")
                    .meaning(
                            "Bytes of GPU memory for transfers, instead of arena_gb; required with cuda, refused with cpu."),
            Parameter.of("local_cpu", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Keep recently used objects in the arena, in up to three quarters of it."),
            Parameter.of("arena_align_bytes", Type.BYTES)
                    .range(1, 2 << 20)
                    .defaultValue("4096")
                    .meaning("Alignment of slices in the arena, a power of two."),
            Parameter.of("hugepages", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Take the arena from 2 MiB pages that the administrator has set aside (vm.nr_hugepages)."),
            Parameter.of("write_mode", Type.CHOICE)
                    .choices("create", "replace")
                    .meaning(
                            "What a store does to an existing object; default create for lmcache layouts, else replace."),
            Parameter.of("atomicity", Type.CHOICE)
                    .choices("per_object", "all_or_nothing")
                    .defaultValue("per_object")
                    .meaning("What a failed object means for the others of a stored batch."),
            Parameter.of("exclusive", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning(
                            "No other process writes here: a failed all-or-nothing batch may take back what it published."),
            Parameter.of("max_capacity_gb", Type.DECIMAL)
                    .atLeast(0)
                    .defaultValue("0")
                    .meaning("GiB of objects that the store takes; 0 means no limit and unknown usage."),
            Parameter.of("eviction", Type.CHOICE)
                    .choices("none", "lru")
                    .defaultValue("none")
                    .meaning("What makes room when max_capacity_gb is nearly used: nothing, or deleting the objects not"
                            + " used for longest."),
            Parameter.of("trigger_watermark", Type.DECIMAL)
                    .range(0, 1)
                    .defaultValue("0.8")
                    .meaning("Share of max_capacity_gb at which eviction starts."),
            Parameter.of("eviction_ratio", Type.DECIMAL)
                    .range(0, 1)
                    .defaultValue("0.2")
                    .meaning("Share of the stored bytes that one eviction deletes."),
            Parameter.of("name_form", Type.CHOICE)
                    .choices("file", "wire")
                    .defaultValue("file")
                    .meaning("LMCache's file names or its wire keys, for layout lmcache."),
            Parameter.of("shard_dirs", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Put objects below hh/hh/ from the chunk hash, for layouts lmcache and lmcache-dynamic."),
            Parameter.of("l1_align_bytes", Type.BYTES)
                    .range(0, 1 << 30)
                    .defaultValue("0")
                    .meaning("Above 0: layout lmcache pads direct transfers to it, a power of two."),
            Parameter.of("object_bytes", Type.BYTES)
                    .range(0, 1 << 30)
                    .defaultValue("0")
                    .meaning("Length of every object, expected by lookups; 0 means unknown."),
            Parameter.of("pool_size", Type.INTEGER)
                    .range(0, Integer.MAX_VALUE)
                    .defaultValue("0")
                    .meaning("Slots of a static pool; 0 means names made per transfer."),
            Parameter.of("slot_bytes", Type.BYTES).range(1, 1 << 30).meaning("Bytes of a slot of a static pool."),
            Parameter.of("pool_layout", Type.CHOICE)
                    .choices("slab", "files")
                    .defaultValue("slab")
                    .meaning("One file with slots, or a file per slot."),
            Parameter.of("pool_full", Type.CHOICE)
                    .choices("evict", "refuse")
                    .defaultValue("evict")
                    .meaning("What a full static pool does."),
            Parameter.of("state_dir", Type.STRING)
                    .meaning(
                            "Directory of a static pool's index and lock, on a local disk; default in the first directory"
                                    + " of a file store, else below the user's state directory."),
            Parameter.of("presence_cache", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Remember which keys are stored."),
            Parameter.of("presence_cache_only", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Answer lookups from the presence cache alone."),
            Parameter.of("async_put", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Answer a store before it is written."),
            Parameter.of("path_sharding", Type.CHOICE)
                    .choices("none", "by_gpu")
                    .defaultValue("none")
                    .meaning("Use one of several paths, by the worker's number."),
            Parameter.of("local_worker_id", Type.INTEGER)
                    .range(0, 65535)
                    .aliases("gpu_id")
                    .environment("LOCAL_RANK")
                    .defaultValue("0")
                    .meaning("Number of the engine's worker process on this machine."),
            Parameter.of("endpoint_list", Type.PATHS).meaning("Endpoints, of which each worker uses one."),
            Parameter.of("deadline_ms", Type.INTEGER)
                    .range(1, 86_400_000)
                    .defaultValue("30000")
                    .meaning("Milliseconds that one call may take."),
            Parameter.of("model", Type.STRING)
                    .meaning("The store's one model, for layouts whose names do not hold it all: hicache,"
                            + " lmcache-dynamic, lmcache-engine."),
            Parameter.of("tp_rank", Type.INTEGER)
                    .range(0, 65535)
                    .defaultValue("0")
                    .meaning("Tensor-parallel rank, for layout hicache."),
            Parameter.of("tp_size", Type.INTEGER)
                    .range(1, 65536)
                    .defaultValue("1")
                    .meaning("Tensor-parallel size, for layout hicache."),
            Parameter.of("mla", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("Whether the model is an MLA model, for layout hicache."),
            Parameter.of("host_layout", Type.CHOICE)
                    .choices("layer_first", "page_first", "page_first_direct", "page_head", "page_first_kv_split")
                    .defaultValue("layer_first")
                    .meaning("SGLang's layout of the host pool, for layout hicache."),
            Parameter.of("side_pools", Type.STRING)
                    .defaultValue("")
                    .meaning("Names, with commas, of side pools beside those of SGLang 0.5.23, for layout hicache."),
            Parameter.of("long_names", Type.CHOICE)
                    .choices("refuse", "hash")
                    .defaultValue("refuse")
                    .meaning(
                            "What happens to names with a part over 255 bytes: refused, or shortened by their SHA-256."),
            Parameter.of("fallback", Type.CHOICE)
                    .choices("none", "auto")
                    .defaultValue("none")
                    .meaning("What happens when no active plugin is usable: an error, or automatic selection."));

    /** Keys of [store] that only a static pool makes use of. */
    static final List<String> OF_POOLS = List.of("slot_bytes", "pool_layout", "pool_full", "state_dir");

    /** Keys of [store] that only some layouts make use of, and these layouts. */
    static final Map<String, Set<String>> ONLY_IN_LAYOUTS = Map.of(
            "name_form", Set.of("lmcache"),
            "l1_align_bytes", Set.of("lmcache"),
            "shard_dirs", Set.of("lmcache", "lmcache-dynamic"),
            "model", Set.of("hicache", "lmcache-dynamic", "lmcache-engine"),
            "tp_rank", Set.of("hicache"),
            "tp_size", Set.of("hicache"),
            "mla", Set.of("hicache"),
            "host_layout", Set.of("hicache"),
            "side_pools", Set.of("hicache"));

    /** The switches that the host adds to every plugin's table. */
    static final List<Parameter> PLUGIN = List.of(
            Parameter.of("active", Type.BOOLEAN)
                    .meaning("Choose this plugin, or, with false, never choose it by itself."),
            Parameter.of("engine", Type.STRING).defaultValue("auto").meaning("Engine to use, or auto."));

    /** The sentence for a top-level key that stands below a table's header. */
    static final String BELONGS_ABOVE = "is a top-level key: it belongs above the first [section]";

    private HostKeys() {}

    static boolean isOfStore(String key) {
        return STORE.stream().anyMatch(parameter -> parameter.answersTo(key));
    }

    static boolean isTopLevel(String key) {
        return TOP_LEVEL.stream().anyMatch(parameter -> parameter.answersTo(key));
    }
}
