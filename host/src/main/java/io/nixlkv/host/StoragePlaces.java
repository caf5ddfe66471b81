package io.nixlkv.host;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.PluginTable;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The storage that a configuration may lead to, as the subject of a complaint before one is chosen. */
final class StoragePlaces {
    private StoragePlaces() {}

    /** Such as {@code the storage of store.toml, POSIX (/mnt/kv),}; without places where nothing says which. */
    static String of(HostConfig config, List<FoundStrategy> strategies) {
        List<String> chosen = new ArrayList<>(config.plugins().stream()
                .filter(table -> table.active().orElse(false))
                .map(PluginTable::name)
                .toList());
        if (chosen.isEmpty()) {
            config.pluginOfEnvironment().ifPresent(chosen::add);
        }
        String places = strategies.stream()
                .map(FoundStrategy::info)
                .filter(info ->
                        chosen.isEmpty() ? info.autoRank() > 0 : chosen.stream().anyMatch(info::answersTo))
                .map(info -> named(config, info))
                .collect(Collectors.joining(", "));
        return "the storage of " + config.source() + (places.isEmpty() ? "" : ", " + places + ",");
    }

    private static String named(HostConfig config, StrategyInfo info) {
        try {
            return named(info, config.strategyConfig(config.table(info), info));
        } catch (ConfigException wrong) {
            // the selection tells what is wrong
            return info.name();
        }
    }

    /** Such as {@code POSIX (/mnt/kv)}, or what was given to a strategy without directories: {@code OBJ (bucket = kv)}. */
    static String named(StrategyInfo info, StrategyConfig config) {
        String place = StoreOpening.place(info, config);
        if (!place.equals(info.name())) {
            return info.name() + " (" + place + ")";
        }
        String given = info.parameters().stream()
                .filter(parameter -> parameter.type() == Parameter.Type.STRING && !parameter.secret())
                .filter(parameter -> config.given(parameter.name()))
                .map(parameter -> parameter.name() + " = " + parameter.masked(config.text(parameter.name())))
                .collect(Collectors.joining(", "));
        return given.isEmpty() ? info.name() : info.name() + " (" + given + ")";
    }
}
