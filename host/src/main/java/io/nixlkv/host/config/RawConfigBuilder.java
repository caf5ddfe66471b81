package io.nixlkv.host.config;

import io.nixlkv.host.config.RawValue.Shape;
import io.nixlkv.host.config.document.Document;
import io.nixlkv.host.config.document.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects what a dialect reads from a document. */
final class RawConfigBuilder {
    private final Document document;
    private final Dialect dialect;
    private final Map<String, String> presets = new HashMap<>();
    private final List<RawValue> top = new ArrayList<>();
    private final List<RawValue> store = new ArrayList<>();
    private final List<RawConfig.RawTable> plugins = new ArrayList<>();
    private final List<RawValue> flat = new ArrayList<>();
    private final Map<Origin, String> names = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Findings findings = new Findings(Map.of());

    RawConfigBuilder(Document document, Dialect dialect) {
        this.document = document;
        this.dialect = dialect;
        presets.put("store.layout", dialect.layout());
        presets.putAll(dialect.presets());
        document.problems().forEach(findings::problem);
    }

    void preset(String key, String text) {
        presets.put(key, text);
    }

    void top(Node.Entry entry) {
        top.add(RawValue.of(entry.key(), entry));
    }

    /** @param written the key as the dialect has it, dotted */
    void top(String key, Node.Entry entry, String written) {
        top.add(named(RawValue.of(key, entry), written));
    }

    void store(Node.Entry entry) {
        store.add(RawValue.of(entry.key(), entry));
    }

    /** @param written the key as the dialect has it, dotted */
    void store(String key, Node.Entry entry, String written) {
        store.add(named(RawValue.of(key, entry), written));
    }

    void flat(Node.Entry entry) {
        flat.add(named(RawValue.of(entry.key(), entry), entry.key()));
    }

    void plugin(String name, List<RawValue> values, Origin origin) {
        plugins.add(new RawConfig.RawTable(name, values, origin));
    }

    /** A value for a plugin's table. @param written the key as the dialect has it, dotted */
    RawValue parameter(String key, Node.Entry entry, String written) {
        return named(RawValue.of(key, entry), written);
    }

    /** A value that the dialect adds by itself. */
    static RawValue implied(String key, String text, Origin origin) {
        return new RawValue(key, Shape.TEXT, text, origin);
    }

    void note(String line) {
        notes.add(line);
    }

    void problem(Origin origin, String key, String sentence) {
        findings.problem(origin, key, sentence);
    }

    void warning(Origin origin, String key, String sentence) {
        findings.warning(origin, key, sentence);
    }

    private RawValue named(RawValue value, String written) {
        names.put(value.origin(), written);
        return value;
    }

    RawConfig build() {
        return new RawConfig(
                document.source(),
                dialect,
                Map.copyOf(presets),
                List.copyOf(top),
                List.copyOf(store),
                List.copyOf(plugins),
                List.copyOf(flat),
                Map.copyOf(names),
                List.copyOf(notes),
                findings,
                document.complete());
    }
}
