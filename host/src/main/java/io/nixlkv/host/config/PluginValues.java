package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The values of one strategy's parameters, from its table, the environment and the host's own keys. */
final class PluginValues {
    private static final String ANY_PLUGIN = "plugin.";
    private static final String FILE_PATH = "file_path";

    private final StrategyInfo info;
    private final String prefix;
    private final Map<String, ConfigValue> values;
    private final Findings findings;

    PluginValues(
            Optional<PluginTable> table,
            StrategyInfo info,
            ConfigValue useDirectIo,
            Map<String, String> environment,
            RawConfig raw) {
        this.info = info;
        findings = new Findings(raw.names());
        prefix = table.map(PluginTable::key).orElse("plugin." + info.name().toLowerCase(Locale.ROOT)) + ".";
        List<RawValue> file = new ArrayList<>();
        List<RawValue> calls = new ArrayList<>();
        for (RawValue value : table.map(PluginTable::values).orElse(List.of())) {
            if (!HostKeys.isTopLevel(value.key())) {
                (value.origin().equals(Origin.CALL) ? calls : file).add(value);
            }
        }
        KeyResolver resolver = new KeyResolver(environment, presets(raw.presets()), findings);
        values = resolver.resolve(prefix, info.parameters(), file, calls);
        resolver.reportUnknown(
                prefix,
                info.parameters(),
                HostKeys.PLUGIN.stream().map(p -> p.name()).toList(),
                file,
                calls);
        path(table, raw);
        secrets(raw.dialect());
        values.computeIfPresent(
                HostKeys.USE_DIRECT_IO,
                (key, own) -> new ConfigValue(own.parameter(), useDirectIo.text(), useDirectIo.origin()));
    }

    private Map<String, String> presets(Map<String, String> all) {
        Map<String, String> presets = new HashMap<>();
        all.forEach((key, text) -> {
            if (key.startsWith(ANY_PLUGIN)) {
                presets.put(prefix + key.substring(ANY_PLUGIN.length()), text);
            }
        });
        return presets;
    }

    private void path(Optional<PluginTable> table, RawConfig raw) {
        Dialect dialect = raw.dialect();
        ConfigValue path = values.get(FILE_PATH);
        boolean missing = path != null && path.parameter().type() == Parameter.Type.PATHS && !path.given();
        boolean toldAlready = table.stream()
                        .flatMap(given -> given.values().stream())
                        .anyMatch(value -> value.key().equals(FILE_PATH) && value.given())
                || raw.findings().problems().stream()
                        .anyMatch(problem -> problem.key().endsWith("." + FILE_PATH));
        if (missing && dialect.requiresPath() && !toldAlready) {
            findings.problem(
                    table.map(PluginTable::origin).orElse(Origin.DEFAULT),
                    prefix + FILE_PATH,
                    dialect == Dialect.NIXL_NATIVE
                            ? "FILE storage requires backend_params.file_path; name the directory there"
                            : "FILE storage requires extra_config.nixl_path; name the directory there");
        }
    }

    /** LMCache shows its configuration to operators, so secrets should not be in it. */
    private void secrets(Dialect dialect) {
        if (!dialect.requiresPath()) {
            return;
        }
        for (ConfigValue value : values.values()) {
            if (value.parameter().secret() && value.origin().line() > 0) {
                List<String> variables = value.parameter().environment();
                findings.warning(
                        value.origin(),
                        prefix + value.parameter().name(),
                        "a secret in the configuration may be shown by tools; better give it by "
                                + (variables.isEmpty()
                                        ? "the environment"
                                        : "the environment, as " + String.join(" or ", variables)));
            }
        }
    }

    Findings findings() {
        return findings;
    }

    StrategyConfig config() {
        Map<String, ParameterValues.Value> given = new LinkedHashMap<>();
        values.forEach((key, value) -> given.put(
                key, new ParameterValues.Value(value.text(), value.origin().toString())));
        return new ParameterValues(info.parameters(), given);
    }

    List<ShownValue> shown() {
        return values.values().stream()
                .map(value -> new ShownValue(
                        prefix + value.parameter().name(),
                        value.shown(),
                        value.origin().toString()))
                .toList();
    }
}
