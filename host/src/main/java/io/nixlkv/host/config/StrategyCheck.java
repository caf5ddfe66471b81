package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges plugin tables and flat keys by the parameters of the strategies that were found. */
final class StrategyCheck {
    private final HostConfig config;
    private final List<StrategyInfo> strategies;
    private final List<RawValue> flat;
    private final Findings findings;

    StrategyCheck(HostConfig config, List<StrategyInfo> strategies, Map<Origin, String> names, List<RawValue> flat) {
        this.config = config;
        this.strategies = strategies;
        this.flat = flat;
        findings = new Findings(names);
    }

    Findings findings() {
        strategies.forEach(this::tables);
        if (!strategies.isEmpty()) {
            nobodys();
            flat();
        }
        return findings;
    }

    private void tables(StrategyInfo info) {
        List<PluginTable> tables = config.plugins().stream()
                .filter(table -> info.answersTo(table.name()))
                .toList();
        if (tables.isEmpty() && !flat.isEmpty()) {
            judge(config.table(info), info);
        }
        for (PluginTable table : tables) {
            PluginTable first = tables.get(0);
            if (table != first && !table.isCalled(first.name())) {
                findings.problem(
                        table.origin(),
                        table.key(),
                        "is the same plugin as [" + first.key() + "] (" + first.origin() + "); keep one table");
            }
            judge(flat.isEmpty() ? Optional.of(table) : config.table(info), info);
        }
    }

    private void judge(Optional<PluginTable> table, StrategyInfo info) {
        Findings found = config.pluginValues(table, info).findings();
        if (mayBeUsed(table, info)) {
            findings.addAll(found);
        } else {
            findings.addAsWarnings(found);
        }
    }

    private boolean mayBeUsed(Optional<PluginTable> table, StrategyInfo info) {
        Optional<Boolean> active = table.flatMap(PluginTable::active);
        if (active.isPresent()) {
            return active.get();
        }
        boolean otherActive =
                config.plugins().stream().anyMatch(other -> other.active().orElse(false));
        return !otherActive && config.pluginOfEnvironment().map(info::answersTo).orElse(true);
    }

    /** Tables that no strategy answers to. An active one is an error of the selection. */
    private void nobodys() {
        for (PluginTable table : config.plugins()) {
            if (table.active().orElse(false) || strategies.stream().anyMatch(info -> info.answersTo(table.name()))) {
                continue;
            }
            findings.warning(
                    table.origin(), table.key(), "no plugin found answers to that name, so the table has no effect");
        }
    }

    /** A flat key must be one of a plugin that may be chosen. */
    private void flat() {
        List<StrategyInfo> candidates = strategies.stream()
                .filter(info ->
                        config.pluginOfEnvironment().map(info::answersTo).orElse(true))
                .toList();
        for (RawValue value : flat) {
            if (candidates.stream().anyMatch(info -> info.parameter(value.key()).isPresent())) {
                continue;
            }
            Optional<StrategyInfo> owner = strategies.stream()
                    .filter(info -> info.parameter(value.key()).isPresent())
                    .findFirst();
            findings.problem(
                    value.origin(),
                    value.key(),
                    owner.map(info -> "is a key of plugin " + info.name() + ", which is not the one in use")
                            .orElseGet(() -> unknown(value.key(), candidates)));
        }
    }

    private static String unknown(String key, List<StrategyInfo> candidates) {
        List<String> known = new ArrayList<>();
        HostKeys.TOP_LEVEL.forEach(parameter -> known.add(parameter.name()));
        candidates.stream()
                .flatMap(info -> info.parameters().stream())
                .map(Parameter::name)
                .forEach(known::add);
        return "unknown key"
                + NearestKey.of(key, known)
                        .map(nearest -> "; did you mean " + nearest + "?")
                        .orElse("; it is neither a top-level key nor one of a plugin that may be chosen");
    }
}
