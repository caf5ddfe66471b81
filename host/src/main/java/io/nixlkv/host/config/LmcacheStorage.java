package io.nixlkv.host.config;

import static io.nixlkv.host.config.LmcacheValues.text;
import static io.nixlkv.host.config.LmcacheValues.written;

import io.nixlkv.host.config.document.Node;
import io.nixlkv.host.config.document.Node.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What an LMCache file says about the store itself. */
final class LmcacheStorage {
    private static final Set<String> SYNC_MODES = Set.of("NONE", "STRICT", "RW", "DEFAULT");

    private final LmcacheValues values;
    private final RawConfigBuilder raw;

    private LmcacheStorage(LmcacheValues values) {
        this.values = values;
        raw = values.raw();
    }

    /** @return the backend's NIXL name, if it is a right one */
    static Optional<String> read(LmcacheValues values, Origin begin) {
        LmcacheStorage storage = new LmcacheStorage(values);
        storage.enabled(begin);
        Optional<String> backend = storage.backend(begin);
        storage.pool(begin);
        storage.presence();
        storage.copied("nixl_async_put", "async_put");
        values.inside(HostKeys.USE_DIRECT_IO)
                .ifPresent(entry -> storage.raw.top(HostKeys.USE_DIRECT_IO, entry, written(HostKeys.USE_DIRECT_IO)));
        storage.onlyOfEngineNixl();
        backend.ifPresent(storage::plugin);
        return backend;
    }

    private void enabled(Origin begin) {
        Optional<Entry> entry = values.inside("enable_nixl_storage");
        Optional<Boolean> enabled = values.flag(entry, written("enable_nixl_storage"));
        if (entry.isEmpty() || !enabled.orElse(true)) {
            raw.problem(
                    entry.map(Entry::origin).orElse(begin),
                    written("enable_nixl_storage"),
                    "must be true: without it LMCache uses no NIXL storage");
        }
    }

    private Optional<String> backend(Origin begin) {
        Optional<Entry> entry = values.inside("nixl_backend");
        if (entry.isEmpty()) {
            raw.problem(begin, written("nixl_backend"), "is required; " + backends());
            return Optional.empty();
        }
        Optional<String> name = text(entry)
                .map(text -> text.toUpperCase(Locale.ROOT).replace('-', '_'))
                .map(text -> text.equals("3FS") ? "HF3FS" : text)
                .filter(text -> LmcacheKeys.FILE_BACKENDS.contains(text) || LmcacheKeys.OBJECT_BACKENDS.contains(text));
        if (name.isEmpty()) {
            raw.problem(entry.get().origin(), written("nixl_backend"), "is no backend of LMCache; " + backends());
        } else if (name.get().equals("DOCA_MEMOS")) {
            raw.preset("store.layout", "doca-memos");
        }
        return name;
    }

    private static String backends() {
        Set<String> all = new TreeSet<>(LmcacheKeys.FILE_BACKENDS);
        all.addAll(LmcacheKeys.OBJECT_BACKENDS);
        return "write one of " + String.join(", ", all);
    }

    private void pool(Origin begin) {
        copied("slot_bytes", "slot_bytes");
        Optional<Entry> old = values.inside("nixl_file_pool_size");
        Optional<Entry> entry = values.inside("nixl_pool_size");
        old.ifPresent(found -> {
            raw.warning(found.origin(), written("nixl_file_pool_size"), "is an old name; write nixl_pool_size");
            entry.filter(other -> !text(old).equals(text(Optional.of(other))))
                    .ifPresent(other -> raw.problem(
                            found.origin(),
                            written("nixl_file_pool_size"),
                            "and nixl_pool_size (" + other.origin() + ") have different values; keep nixl_pool_size"));
        });
        Optional<Entry> used = entry.or(() -> old);
        if (used.isEmpty()) {
            raw.problem(
                    begin,
                    written("nixl_pool_size"),
                    "is required: 0 for names made per transfer, above 0 for a pool of that many slots");
            return;
        }
        raw.store("pool_size", used.get(), written(used.get().key()));
        boolean dynamic = text(used).orElse("").matches("[+-]?0+");
        Optional<Entry> unfull = values.top("save_unfull_chunk");
        if (values.flag(unfull, "save_unfull_chunk").orElse(false) && dynamic) {
            raw.problem(
                    unfull.get().origin(),
                    "save_unfull_chunk",
                    "must be false with nixl_pool_size 0: every object has the length of a whole chunk there");
        }
        if (values.whole(values.top("chunk_size"), "chunk_size", 1).isPresent() && dynamic) {
            raw.note("chunk_size sizes the slots of a pool and has no effect with nixl_pool_size 0");
        }
    }

    private void presence() {
        copied("nixl_presence_cache", "presence_cache");
        Optional<Entry> only = values.inside("nixl_presence_cache_only");
        if (LmcacheValues.isTrue(only) && !LmcacheValues.isTrue(values.inside("nixl_presence_cache"))) {
            raw.problem(
                    only.get().origin(),
                    written("nixl_presence_cache_only"),
                    "needs nixl_presence_cache: true beside it");
        } else {
            copied("nixl_presence_cache_only", "presence_cache_only");
        }
    }

    private void copied(String key, String target) {
        values.inside(key).ifPresent(entry -> raw.store(target, entry, written(key)));
    }

    private void onlyOfEngineNixl() {
        List<String> without = new ArrayList<>();
        Optional<Entry> thread = values.inside("nixl_enable_prog_thread");
        values.flag(thread, written("nixl_enable_prog_thread"))
                .ifPresent(right -> without.add(thread.get().key()));
        Optional<Entry> sync = values.inside("nixl_sync_mode");
        if (sync.isPresent()) {
            String mode = text(sync).orElse("").toUpperCase(Locale.ROOT);
            if (SYNC_MODES.contains(mode)) {
                without.add("nixl_sync_mode");
            } else {
                raw.problem(
                        sync.get().origin(),
                        written("nixl_sync_mode"),
                        "must be one of " + String.join(", ", new TreeSet<>(SYNC_MODES)));
            }
        }
        if (!without.isEmpty()) {
            raw.note("keys that only engine nixl reads: " + String.join(", ", without));
        }
    }

    private void plugin(String backend) {
        Origin origin = values.inside("nixl_backend").orElseThrow().origin();
        List<RawValue> parameters = parameters();
        if (LmcacheKeys.FILE_BACKENDS.contains(backend)) {
            values.inside("nixl_path")
                    .ifPresent(path -> parameters.add(raw.parameter("file_path", path, written("nixl_path"))));
            sharding();
        } else if (values.inside("nixl_path").isPresent()) {
            raw.note("nixl_path has no effect with backend " + backend + ", which keeps no files");
        }
        endpoints(backend, parameters);
        parameters.add(RawConfigBuilder.implied("active", "true", origin));
        raw.plugin(backend, parameters, origin);
    }

    private List<RawValue> parameters() {
        List<RawValue> parameters = new ArrayList<>();
        Optional<Entry> given = values.inside("nixl_backend_params");
        if (given.isEmpty()) {
            return parameters;
        }
        if (!(given.get().value() instanceof Node.Table table)) {
            raw.problem(given.get().origin(), written("nixl_backend_params"), "must be a mapping of keys to values");
            return parameters;
        }
        for (Entry entry : table.entries()) {
            String name = written("nixl_backend_params") + "." + entry.key();
            if (entry.key().equals(HostKeys.USE_DIRECT_IO)) {
                raw.problem(entry.origin(), name, "belongs into " + LmcacheKeys.EXTRA + ", not into the parameters");
            } else {
                parameters.add(raw.parameter(entry.key(), entry, name));
            }
        }
        return parameters;
    }

    /** With several paths LMCache always picks one by the GPU's number. */
    private void sharding() {
        Optional<Entry> sharding = values.inside("nixl_path_sharding");
        if (sharding.isPresent() && !text(sharding).equals(Optional.of("by_gpu"))) {
            raw.problem(sharding.get().origin(), written("nixl_path_sharding"), "must be by_gpu, the only strategy");
            return;
        }
        Optional<Entry> path = values.inside("nixl_path");
        boolean several = path.filter(entry ->
                        entry.value() instanceof Node.Items list && list.items().size() > 1)
                .isPresent();
        if (several) {
            Entry from = sharding.orElse(path.get());
            Entry byGpu =
                    new Entry(from.key(), new Node.Scalar(Node.Kind.TEXT, "by_gpu", from.origin()), from.origin());
            raw.store("path_sharding", byGpu, written(from.key()));
        }
    }

    private void endpoints(String backend, List<RawValue> parameters) {
        Optional<Entry> list = values.inside("nixl_endpoint_list");
        if (list.isEmpty()) {
            return;
        }
        String name = written("nixl_endpoint_list");
        if (!backend.equals("OBJ")) {
            raw.warning(list.get().origin(), name, "has no effect with backend " + backend + ", only with OBJ");
            return;
        }
        List<Node> items = list.get().value() instanceof Node.Items given ? given.items() : List.of();
        boolean right = !items.isEmpty()
                && items.stream()
                        .allMatch(item -> item instanceof Node.Scalar scalar
                                && scalar.text().matches("https?://.+"));
        if (!right) {
            raw.problem(list.get().origin(), name, "must be a list of endpoints that begin with http:// or https://");
            return;
        }
        raw.store("endpoint_list", list.get(), name);
        parameters.stream()
                .filter(parameter -> parameter.key().equals("endpoint_override"))
                .findFirst()
                .ifPresent(ignored -> raw.warning(
                        ignored.origin(),
                        written("nixl_backend_params.endpoint_override"),
                        "has no effect beside nixl_endpoint_list"));
        parameters.removeIf(parameter -> parameter.key().equals("endpoint_override"));
    }
}
