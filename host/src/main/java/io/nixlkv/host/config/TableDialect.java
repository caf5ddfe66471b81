package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Document;
import io.nixlkv.host.config.document.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the product's own dialect, and SGLang's, of which it is a superset: top-level keys, {@code store}, and a table for each
 * plugin. SGLang's flat form has the keys of the chosen plugin at the top.
 */
final class TableDialect {
    /** SGLang takes these out before its storage sees the rest. */
    private static final Set<String> OF_THE_ENGINE = Set.of(
            "prefetch_threshold",
            "prefetch_timeout_base",
            "prefetch_timeout_per_ki_token",
            "hicache_storage_pass_prefix_keys",
            "tp_lcm_size",
            "file_storage_path");

    private final RawConfigBuilder raw;
    private final Node.Table root;
    private final boolean flat;
    private final Set<String> ofTheEngine = new TreeSet<>();

    private TableDialect(Document document, Dialect dialect) {
        root = document.root();
        raw = new RawConfigBuilder(document, dialect);
        flat = dialect == Dialect.SGLANG && !root.has("plugin");
    }

    static RawConfig read(Document document, Dialect dialect) {
        return new TableDialect(document, dialect).read();
    }

    private RawConfig read() {
        for (Node.Entry entry : root.entries()) {
            switch (entry.key()) {
                case "store" -> store(entry);
                case "plugin" -> plugins(entry);
                default -> other(entry);
            }
        }
        if (!ofTheEngine.isEmpty()) {
            raw.note("keys of the engine, without effect here: " + String.join(", ", ofTheEngine));
        }
        return raw.build();
    }

    private void store(Node.Entry entry) {
        if (entry.value() instanceof Node.Table table) {
            table.entries().forEach(raw::store);
        } else {
            raw.problem(entry.origin(), "store", "must be the table [store]");
        }
    }

    private void plugins(Node.Entry entry) {
        if (!(entry.value() instanceof Node.Table tables)) {
            raw.problem(entry.origin(), "plugin", "must be one table [plugin.NAME] for each plugin");
            return;
        }
        for (Node.Entry plugin : tables.entries()) {
            if (plugin.value() instanceof Node.Table table) {
                List<RawValue> values = new ArrayList<>();
                table.entries().forEach(value -> values.add(RawValue.of(value.key(), value)));
                raw.plugin(plugin.key(), values, plugin.origin());
            } else {
                raw.problem(
                        plugin.origin(),
                        "plugin." + plugin.key(),
                        "a plugin's keys go into its own table [plugin.NAME], not into [plugin]");
            }
        }
    }

    private void other(Node.Entry entry) {
        boolean ours = HostKeys.isTopLevel(entry.key()) || HostKeys.isOfStore(entry.key());
        if (OF_THE_ENGINE.contains(entry.key())) {
            ofTheEngine.add(entry.key());
        } else if (flat && !ours && !(entry.value() instanceof Node.Table)) {
            raw.flat(entry);
        } else {
            raw.top(entry);
        }
    }
}
