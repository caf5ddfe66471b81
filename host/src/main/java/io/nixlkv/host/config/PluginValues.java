package io.nixlkv.host.config;

import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The values of one strategy's parameters, from its table, the environment and the host's own keys. */
final class PluginValues {
    private final StrategyInfo info;
    private final String prefix;
    private final Map<String, ConfigValue> values;
    private final Findings findings = new Findings();

    PluginValues(
            Optional<PluginTable> table, StrategyInfo info, ConfigValue useDirectIo, Map<String, String> environment) {
        this.info = info;
        prefix = table.map(PluginTable::key).orElse("plugin." + info.name().toLowerCase(Locale.ROOT)) + ".";
        List<RawValue> file = new ArrayList<>();
        List<RawValue> calls = new ArrayList<>();
        for (RawValue raw : table.map(PluginTable::values).orElse(List.of())) {
            if (!HostKeys.isTopLevel(raw.key())) {
                (raw.origin().equals(Origin.CALL) ? calls : file).add(raw);
            }
        }
        KeyResolver resolver = new KeyResolver(environment, findings);
        values = resolver.resolve(prefix, info.parameters(), file, calls);
        resolver.reportUnknown(
                prefix,
                info.parameters(),
                HostKeys.PLUGIN.stream().map(p -> p.name()).toList(),
                file,
                calls);
        values.computeIfPresent(
                HostKeys.USE_DIRECT_IO,
                (key, own) -> new ConfigValue(own.parameter(), useDirectIo.text(), useDirectIo.origin()));
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
