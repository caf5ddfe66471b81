package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Document;
import io.nixlkv.host.config.document.Node;
import io.nixlkv.host.config.document.Node.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the JSON of LMCache's L2 adapter {@code nixl_native}, by the rules of that adapter. */
final class NixlNativeDialect {
    private static final String TYPE = "nixl_native";

    /** Adapters of LMCache that are written in the same way and are something else. */
    private static final Set<String> OTHER_TYPES = Set.of(
            "nixl_store",
            "nixl_store_dynamic",
            "fs",
            "fs_native",
            "resp",
            "s3",
            "hf3fs",
            "plugin",
            "native_plugin",
            "mock",
            "fault_inject",
            "mooncake_store",
            "raw_block",
            "dax",
            "p2p",
            "valkey",
            "aerospike",
            "bigtable",
            "hfbucket",
            "sagemaker_hyperpod");

    static final Map<String, String> KEYS = LmcacheKeys.table(
            "type", "Required: `nixl_native`.",
            "backend", "Required: uppercase NIXL plugin identifier, such as `POSIX` or `OBJ`.",
            "backend_params",
                    "Object of texts: the plugin's own keys, and `use_direct_io`, `shard_dirs` (exactly"
                            + " `\"true\"` or `\"false\"`). FILE storage requires `file_path`. A secret loads with a warning.",
            "num_workers", "Positive integer; default 4. Gives `store.num_workers`.",
            "max_capacity_gb", "Non-negative number; default 0. Gives `store.max_capacity_gb`.",
            "eviction",
                    "Object: `eviction_policy` (`LRU` or `noop`; required), `trigger_watermark`, `eviction_ratio`. Gives"
                            + " `store.eviction`, `store.trigger_watermark` and `store.eviction_ratio`.",
            "storage_type", "Refused: the capability of `backend` decides.");

    private static final List<String> EVICTION = List.of("eviction_policy", "trigger_watermark", "eviction_ratio");
    private static final Pattern BACKEND = Pattern.compile("[A-Z][A-Z0-9_]*");

    private final Node.Table root;
    private final RawConfigBuilder raw;

    private NixlNativeDialect(Document document) {
        root = document.root();
        raw = new RawConfigBuilder(document, Dialect.NIXL_NATIVE);
    }

    static boolean recognises(Node.Table root) {
        return root.has("backend")
                || root.has("backend_params")
                || text(root.entry("type"))
                        .filter(type -> type.equals(TYPE) || OTHER_TYPES.contains(type))
                        .isPresent();
    }

    static RawConfig read(Document document) {
        return new NixlNativeDialect(document).read();
    }

    private RawConfig read() {
        type();
        refused(
                "storage_type",
                "is no key here: whether backend stores files or objects follows from its FILE_SEG or"
                        + " OBJ_SEG capability; remove it");
        List<RawValue> parameters = parameters();
        backend(parameters);
        root.entry("num_workers").ifPresent(this::workers);
        root.entry("max_capacity_gb").ifPresent(this::capacity);
        root.entry("eviction").ifPresent(this::eviction);
        ignored();
        return raw.build();
    }

    private void type() {
        Optional<Node.Entry> type = root.entry("type");
        if (type.isEmpty()) {
            raw.problem(root.origin(), "type", "is required and must be \"" + TYPE + "\"");
        } else if (!text(type).equals(Optional.of(TYPE))) {
            raw.problem(
                    type.get().origin(),
                    "type",
                    "must be \"" + TYPE + "\"; other adapters of LMCache are not served here");
        }
    }

    private void refused(String key, String sentence) {
        root.entry(key).ifPresent(entry -> raw.problem(entry.origin(), key, sentence));
    }

    private void backend(List<RawValue> parameters) {
        Optional<Node.Entry> backend = root.entry("backend");
        Origin origin = backend.map(Node.Entry::origin).orElse(root.origin());
        Optional<String> name =
                text(backend).filter(text -> BACKEND.matcher(text).matches());
        if (name.isEmpty()) {
            raw.problem(
                    origin,
                    "backend",
                    (backend.isEmpty() ? "is required and " : "")
                            + "must be an uppercase NIXL plugin identifier such as \"POSIX\" or \"OBJ\"");
            return;
        }
        parameters.add(RawConfigBuilder.implied("active", "true", origin));
        raw.plugin(name.get(), parameters, origin);
    }

    private List<RawValue> parameters() {
        List<RawValue> values = new ArrayList<>();
        Optional<Node.Entry> given = root.entry("backend_params");
        if (given.isEmpty()) {
            return values;
        }
        if (!(given.get().value() instanceof Node.Table table)) {
            raw.problem(given.get().origin(), "backend_params", "must be an object of texts, {\"key\": \"text\"}");
            return values;
        }
        for (Node.Entry entry : table.entries()) {
            String written = "backend_params." + entry.key();
            if (text(Optional.of(entry)).isEmpty()) {
                raw.problem(entry.origin(), written, "must be a text: put the value into double quotes");
            } else if (entry.key().equals(HostKeys.USE_DIRECT_IO)) {
                flag(entry, written).ifPresent(right -> raw.top(HostKeys.USE_DIRECT_IO, right, written));
            } else if (entry.key().equals("shard_dirs")) {
                flag(entry, written).ifPresent(right -> raw.store("shard_dirs", right, written));
            } else {
                values.add(raw.parameter(entry.key(), entry, written));
            }
        }
        return values;
    }

    private Optional<Node.Entry> flag(Node.Entry entry, String written) {
        String text = text(Optional.of(entry)).orElse("");
        if (text.equals("true") || text.equals("false")) {
            return Optional.of(entry);
        }
        raw.problem(entry.origin(), written, "must be exactly \"true\" or \"false\"");
        return Optional.empty();
    }

    private void workers(Node.Entry entry) {
        Optional<BigDecimal> number = number(entry);
        boolean right =
                number.isPresent() && number.get().signum() > 0 && number.get().scale() <= 0;
        if (right) {
            raw.store("num_workers", entry, "num_workers");
        } else {
            raw.problem(entry.origin(), "num_workers", "must be a positive integer");
        }
    }

    private void capacity(Node.Entry entry) {
        if (number(entry).filter(number -> number.signum() >= 0).isPresent()) {
            raw.store("max_capacity_gb", entry, "max_capacity_gb");
        } else {
            raw.problem(entry.origin(), "max_capacity_gb", "must be a non-negative number");
        }
    }

    private void eviction(Node.Entry eviction) {
        if (!(eviction.value() instanceof Node.Table table)) {
            raw.problem(eviction.origin(), "eviction", "must be an object with eviction_policy");
            return;
        }
        for (Node.Entry entry : table.entries()) {
            String written = "eviction." + entry.key();
            switch (entry.key()) {
                case "eviction_policy" -> policy(entry, written);
                case "trigger_watermark", "eviction_ratio" -> share(entry, written);
                default ->
                    raw.problem(
                            entry.origin(), written, "unknown key; " + String.join(", ", EVICTION) + " are known here");
            }
        }
        if (!table.has("eviction_policy")) {
            raw.problem(eviction.origin(), "eviction", "must have eviction_policy: \"LRU\" or \"noop\"");
        }
    }

    private void policy(Node.Entry entry, String written) {
        String policy = text(Optional.of(entry)).orElse("");
        if (policy.equals("LRU") || policy.equals("noop")) {
            String ours = policy.equals("LRU") ? "lru" : "none";
            Node.Scalar value = new Node.Scalar(Kind.TEXT, ours, entry.origin());
            raw.store("eviction", new Node.Entry(entry.key(), value, entry.origin()), written);
        } else {
            raw.problem(entry.origin(), written, "must be \"LRU\" or \"noop\"; other policies are not served here");
        }
    }

    private void share(Node.Entry entry, String written) {
        boolean right = number(entry)
                .filter(number -> number.signum() > 0 && number.compareTo(BigDecimal.ONE) <= 0)
                .isPresent();
        if (right) {
            raw.store(entry.key(), entry, written);
        } else {
            raw.problem(entry.origin(), written, "must be a number above 0 and at most 1");
        }
    }

    /** The adapter ignores what it does not know; here it is at least said. */
    private void ignored() {
        Set<String> left = new TreeSet<>();
        root.entries().stream()
                .map(Node.Entry::key)
                .filter(key -> !KEYS.containsKey(key))
                .forEach(left::add);
        if (!left.isEmpty()) {
            raw.note("keys without effect here: " + String.join(", ", left));
        }
    }

    private static Optional<String> text(Optional<Node.Entry> entry) {
        return entry.map(Node.Entry::value)
                .filter(value -> value instanceof Node.Scalar scalar && scalar.kind() == Kind.TEXT)
                .map(value -> ((Node.Scalar) value).text());
    }

    private static Optional<BigDecimal> number(Node.Entry entry) {
        if (!(entry.value() instanceof Node.Scalar scalar) || scalar.kind() != Kind.NUMBER) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(scalar.text()));
        } catch (NumberFormatException notFinite) {
            return Optional.empty();
        }
    }
}
