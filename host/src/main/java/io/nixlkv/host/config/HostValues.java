package io.nixlkv.host.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The effective values of the host's keys and the plugin tables, with everything that is wrong with them. */
final class HostValues {
    private final Findings findings = new Findings();
    private final Map<String, ConfigValue> top;
    private final Map<String, ConfigValue> store;
    private final List<PluginTable> plugins = new ArrayList<>();
    private final KeyResolver resolver;

    HostValues(RawConfig raw, Map<String, String> environment, List<RawValue> calls) {
        findings.addAll(raw.findings());
        resolver = new KeyResolver(environment, findings);
        CallValues split = new CallValues(calls, findings);
        top = resolver.resolve("", HostKeys.TOP_LEVEL, raw.top(), split.top());
        foreign(raw.top());
        store = resolver.resolve("store.", HostKeys.STORE, raw.store(), split.store());
        resolver.reportUnknown("store.", HostKeys.STORE, List.of(), raw.store(), split.store());
        plugins(raw, split.plugins());
        if (raw.complete()) {
            new HostRules(top, store, findings).check();
        }
        if (raw.storeOrigin().isEmpty()
                && !raw.plugins().isEmpty()
                && !store.get("layout").given()) {
            findings.warning(
                    raw.plugins().get(0).origin(),
                    "store.layout",
                    "there is no [store] table, so layout lmcache is used; SGLang's own layout, hicache, is not supported yet");
        }
    }

    Findings findings() {
        return findings;
    }

    Map<String, ConfigValue> top() {
        return top;
    }

    Map<String, ConfigValue> store() {
        return store;
    }

    List<PluginTable> plugins() {
        return List.copyOf(plugins);
    }

    private void foreign(List<RawValue> written) {
        List<String> known = new ArrayList<>(List.of("store", "plugin"));
        HostKeys.TOP_LEVEL.forEach(parameter -> known.add(parameter.name()));
        for (RawValue raw : written) {
            if (known.contains(raw.key())) {
                continue;
            }
            String hint = HostKeys.STORE.stream().anyMatch(p -> p.answersTo(raw.key()))
                    ? "; it belongs into the table [store]"
                    : NearestKey.of(raw.key(), known)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse("");
            findings.warning(raw.origin(), raw.key(), "is not a key of this program and has no effect" + hint);
        }
    }

    private void plugins(RawConfig raw, Map<String, List<RawValue>> calls) {
        Map<String, List<RawValue>> left = new LinkedHashMap<>(calls);
        for (RawConfig.RawTable table : raw.plugins()) {
            Optional<PluginTable> twin = plugins.stream()
                    .filter(other -> other.isCalled(table.name()))
                    .findFirst();
            twin.ifPresent(first -> findings.problem(
                    table.origin(),
                    "plugin." + table.name(),
                    "is the same plugin as [" + first.key() + "] (" + first.origin() + "); keep one table"));
            List<RawValue> added = new ArrayList<>();
            left.entrySet().removeIf(call -> {
                boolean same = PluginTable.sameName(call.getKey(), table.name());
                if (same) {
                    added.addAll(call.getValue());
                }
                return same;
            });
            plugins.add(table(table.name(), table.values(), added, table.origin()));
        }
        left.forEach((name, values) -> plugins.add(table(name, List.of(), values, Origin.CALL)));
    }

    private PluginTable table(String name, List<RawValue> file, List<RawValue> calls, Origin origin) {
        String prefix = "plugin." + name + ".";
        Map<String, ConfigValue> switches = resolver.resolve(prefix, HostKeys.PLUGIN, file, calls);
        List<RawValue> values = new ArrayList<>();
        for (List<RawValue> given : List.of(file, calls)) {
            for (RawValue value : given) {
                if (HostKeys.isTopLevel(value.key())) {
                    findings.problem(value.origin(), prefix + value.key(), HostKeys.BELONGS_ABOVE);
                } else if (!switches.containsKey(value.key())) {
                    values.add(value);
                }
            }
        }
        ConfigValue active = switches.get("active");
        ConfigValue engine = switches.get("engine");
        return new PluginTable(
                name,
                active.given() ? Optional.of(active.flag()) : Optional.empty(),
                engine.text().equalsIgnoreCase("auto") ? "" : engine.text().toLowerCase(Locale.ROOT),
                values,
                origin,
                engine.origin());
    }
}
