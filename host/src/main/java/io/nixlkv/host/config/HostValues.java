package io.nixlkv.host.config;

import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The effective values of the host's keys and the plugin tables, with everything that is wrong with them. */
final class HostValues {
    private final Findings findings;
    private final Map<String, ConfigValue> top;
    private final Map<String, ConfigValue> store;
    private final List<PluginTable> plugins = new ArrayList<>();
    private final KeyResolver resolver;
    private final Optional<PluginTable> flat;

    HostValues(RawConfig raw, Map<String, String> environment, List<RawValue> calls) {
        findings = new Findings(raw.names());
        findings.addAll(raw.findings());
        resolver = new KeyResolver(environment, raw.presets(), findings);
        CallValues split = new CallValues(calls, findings);
        top = resolver.resolve("", HostKeys.TOP_LEVEL, raw.top(), split.top());
        foreign(raw.top());
        store = resolver.resolve("store.", HostKeys.STORE, raw.store(), split.store());
        resolver.reportUnknown("store.", HostKeys.STORE, List.of(), raw.store(), split.store());
        plugins(raw, split.plugins());
        flat = raw.flat().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        table("*", raw.flat(), List.of(), raw.flat().get(0).origin()));
        if (raw.complete()) {
            new HostRules(top, store, raw.dialect(), findings).check();
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

    /** SGLang's flat keys, which are for whichever plugin is chosen. */
    List<RawValue> flat() {
        return flat.map(PluginTable::values).orElse(List.of());
    }

    /** The table of a strategy, and of the flat keys those that it has. */
    Optional<PluginTable> table(StrategyInfo info) {
        Optional<PluginTable> own =
                plugins.stream().filter(table -> info.answersTo(table.name())).findFirst();
        if (flat.isEmpty()) {
            return own;
        }
        List<RawValue> values = new ArrayList<>(flat.get().values());
        values.removeIf(value -> info.parameter(value.key()).isEmpty());
        own.ifPresent(table -> values.addAll(table.values()));
        boolean ownEngine = own.filter(table -> !table.engine().isEmpty()).isPresent();
        PluginTable engine = ownEngine ? own.get() : flat.get();
        return Optional.of(new PluginTable(
                own.map(PluginTable::name).orElse(info.name().toLowerCase(Locale.ROOT)),
                own.flatMap(PluginTable::active),
                engine.engine(),
                values,
                flat.get().origin(),
                engine.engineOrigin()));
    }

    private void foreign(List<RawValue> written) {
        List<String> known = new ArrayList<>(List.of("store", "plugin"));
        HostKeys.TOP_LEVEL.forEach(parameter -> known.add(parameter.name()));
        for (RawValue raw : written) {
            if (known.contains(raw.key())) {
                continue;
            }
            String hint = HostKeys.isOfStore(raw.key())
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
