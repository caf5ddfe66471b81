package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Document;
import io.nixlkv.host.config.document.Node;
import io.nixlkv.host.config.document.Node.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads LMCache's configuration file with its {@code extra_config.nixl_*} keys. */
final class LmcacheDialect {
    private final Node.Table root;
    private final RawConfigBuilder raw;
    private final List<Entry> extra = new ArrayList<>();
    private final Set<String> ofTheEngine = new TreeSet<>();

    private LmcacheDialect(Document document) {
        root = document.root();
        raw = new RawConfigBuilder(document, Dialect.LMCACHE);
    }

    static boolean recognises(Node.Table root) {
        return root.entries().stream()
                .map(Entry::key)
                .anyMatch(key -> LmcacheKeys.TOP.containsKey(key)
                        || LmcacheKeys.MARKS.contains(key)
                        || key.startsWith("nixl_")
                        || key.startsWith("enable_nixl"));
    }

    static RawConfig read(Document document, Map<String, String> environment) {
        return new LmcacheDialect(document).read(environment);
    }

    private RawConfig read(Map<String, String> environment) {
        root.entry(LmcacheKeys.EXTRA).ifPresent(entry -> {
            if (entry.value() instanceof Node.Table table) {
                extra.addAll(table.entries());
            } else if (RawValue.of(entry.key(), entry).given()) {
                raw.problem(entry.origin(), LmcacheKeys.EXTRA, "must be a mapping of keys to values");
            }
        });
        addVariable(environment.getOrDefault(LmcacheKeys.EXTRA_VARIABLE, ""));
        root.entries().forEach(this::checkTop);
        extra.forEach(this::checkInside);
        LmcacheValues values = new LmcacheValues(root, extra, raw);
        Optional<String> backend = LmcacheStorage.read(values, root.origin());
        LmcacheBuffer.read(values, backend);
        if (!ofTheEngine.isEmpty()) {
            raw.note("keys that do not concern storage, without effect here: " + String.join(", ", ofTheEngine));
        }
        return raw.build();
    }

    /** What the file does not have comes from the variable. */
    private void addVariable(String json) {
        if (json.isBlank()) {
            return;
        }
        Document given =
                Document.json(json, Origin.variable(LmcacheKeys.EXTRA_VARIABLE).source());
        given.problems()
                .forEach(problem -> raw.problem(
                        new Origin(problem.source(), problem.line(), problem.column()),
                        problem.key(),
                        problem.sentence()));
        for (Entry entry : given.root().entries()) {
            if (extra.stream().noneMatch(other -> other.key().equals(entry.key()))) {
                extra.add(entry);
            }
        }
    }

    private void checkTop(Entry entry) {
        String key = entry.key();
        if (LmcacheKeys.TOP.containsKey(key)) {
            return;
        }
        if (key.equals("enable_nixl")) {
            oldSwitch(entry, key);
        } else if (LmcacheKeys.INSIDE.containsKey(key)) {
            raw.problem(entry.origin(), key, "belongs into " + LmcacheKeys.EXTRA + "; indent it below that key");
        } else if (key.startsWith("nixl_") || key.startsWith("enable_nixl")) {
            unknown(entry, key, LmcacheKeys.TOP.keySet());
        } else {
            ofTheEngine.add(key);
        }
    }

    private void checkInside(Entry entry) {
        String key = entry.key();
        String written = LmcacheKeys.EXTRA + "." + key;
        if (LmcacheKeys.INSIDE.containsKey(key)) {
            return;
        }
        if (key.equals("enable_nixl")) {
            oldSwitch(entry, written);
        } else if (LmcacheKeys.TOP.containsKey(key)) {
            raw.problem(entry.origin(), written, "belongs to the top level, outside of " + LmcacheKeys.EXTRA);
        } else if (key.startsWith("nixl_") || key.startsWith("enable_nixl")) {
            unknown(entry, written, LmcacheKeys.INSIDE.keySet());
        } else {
            ofTheEngine.add(written);
        }
    }

    private void oldSwitch(Entry entry, String written) {
        raw.problem(
                entry.origin(),
                written,
                "is an old name; write enable_nixl_storage: true in " + LmcacheKeys.EXTRA + " instead");
    }

    private void unknown(Entry entry, String written, Set<String> known) {
        raw.problem(
                entry.origin(),
                written,
                "unknown key"
                        + NearestKey.of(entry.key(), known)
                                .map(nearest -> "; did you mean " + nearest + "?")
                                .orElse("; known are " + String.join(", ", new TreeSet<>(known))));
    }
}
