package io.nixlkv.host.selection;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.Origin;
import io.nixlkv.host.config.PluginTable;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Chooses strategy and engine. First the tables with {@code active = true}, in the order of the file; without one the plugin that
 * the environment names; without that every strategy with a rank, highest first, unless its table says {@code active = false}.
 * Each is probed and judged by the capability gate; an explicit choice that is not usable is an error, never another plugin in
 * silence.
 */
public final class Selector {
    private final HostConfig config;
    private final List<FoundStrategy> strategies;
    private final Function<String, Optional<FoundStrategy>> finder;
    private final Set<FoundStrategy> tried = new HashSet<>();
    private final List<String> reasons = new ArrayList<>();
    private final List<ConfigProblem> warnings;

    private Selector(
            HostConfig config, List<FoundStrategy> strategies, Function<String, Optional<FoundStrategy>> finder) {
        this.config = config;
        this.strategies = strategies;
        this.finder = finder;
        List<StrategyInfo> infos = infos(config, strategies, finder);
        List<ConfigProblem> problems = config.validate(infos);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        warnings = new ArrayList<>(config.warnings(infos));
    }

    /**
     * Chooses from a catalog.
     *
     * @throws ConfigException if the configuration has a mistake, names a plugin that is not there or not usable, or nothing is
     *     usable; it says what was found and why each was not taken
     * @throws StorageException UNAVAILABLE, with the same words, if the machine lacks what the named plugin or engine needs
     */
    public static Selection select(HostConfig config, PluginCatalog catalog) {
        return select(config, catalog.strategies(), catalog::find);
    }

    /**
     * Chooses from any strategies.
     *
     * @param finder answers for a name; it may know more than the list, such as adopted strategies
     * @throws ConfigException as for a catalog
     */
    public static Selection select(
            HostConfig config, List<FoundStrategy> strategies, Function<String, Optional<FoundStrategy>> finder) {
        return new Selector(config, strategies, finder).run();
    }

    private Selection run() {
        List<PluginTable> active = config.plugins().stream()
                .filter(table -> table.active().orElse(false))
                .toList();
        if (!active.isEmpty()) {
            return explicit(active);
        }
        return config.pluginOfEnvironment().map(this::ofEnvironment).orElseGet(this::automatic);
    }

    private Selection explicit(List<PluginTable> active) {
        if (active.size() > 1) {
            PluginTable second = active.get(1);
            warn(
                    second.origin(),
                    second.key(),
                    "several plugins are active ("
                            + active.stream().map(PluginTable::name).collect(Collectors.joining(", "))
                            + "); the first usable one is taken");
        }
        List<ConfigProblem> problems = new ArrayList<>();
        boolean lacking = true;
        for (PluginTable table : active) {
            Optional<FoundStrategy> found = finder.apply(table.name());
            if (found.isEmpty()) {
                String unknown = unknown(table.name());
                reasons.add(unknown);
                lacking = false;
                problems.add(problem(table.origin(), table.key(), unknown + "; " + catalogue()));
                continue;
            }
            Trial trial = tried(found.get());
            if (trial.engine().isPresent()) {
                return taken(trial);
            }
            lacking &= trial.lacking();
            Origin origin = table.engine().isEmpty() ? table.origin() : table.engineOrigin();
            problems.add(problem(
                    origin,
                    table.engine().isEmpty() ? table.key() : table.key() + ".engine",
                    trial.reason() + "; " + catalogue()));
        }
        if (config.store().fallbackToAuto()) {
            problems.forEach(p -> warnings.add(
                    new ConfigProblem(p.source(), p.line(), p.column(), p.key(), p.sentence() + "; trying others")));
            return automatic();
        }
        throw refused(new ConfigException(problems), lacking);
    }

    private Selection ofEnvironment(String name) {
        String variable = "$" + HostConfig.pluginVariable();
        FoundStrategy found = finder.apply(name)
                .orElseThrow(() -> new ConfigException(variable, "", unknown(name) + "; " + catalogue()));
        Trial trial = tried(found);
        if (trial.engine().isEmpty()) {
            throw refused(new ConfigException(variable, "", trial.reason() + "; " + catalogue()), trial.lacking());
        }
        return taken(trial);
    }

    /** The configuration is right where only the machine lacks something. */
    private static RuntimeException refused(ConfigException problems, boolean lacking) {
        return lacking ? new StorageException(Status.UNAVAILABLE, problems.getMessage(), problems) : problems;
    }

    private Selection automatic() {
        List<FoundStrategy> ranked = strategies.stream()
                .filter(found -> found.info().autoRank() > 0 && !tried.contains(found))
                .sorted(Comparator.comparingInt(
                                (FoundStrategy found) -> found.info().autoRank())
                        .reversed())
                .toList();
        for (FoundStrategy found : ranked) {
            Optional<PluginTable> table = config.table(found.info());
            if (!table.flatMap(PluginTable::active).orElse(true)) {
                reasons.add(found.info().name() + " is not tried: active = false in ["
                        + table.get().key() + "]");
                continue;
            }
            try {
                Trial trial = tried(found);
                if (trial.engine().isPresent()) {
                    return taken(trial);
                }
            } catch (ConfigException wrong) {
                reasons.add(found.info().name() + " is not usable: " + wrong.getMessage());
            }
        }
        throw new ConfigException(
                config.source(),
                "",
                reasons.isEmpty()
                        ? "no storage plugin is for automatic selection; name one with active = true; " + catalogue()
                        : "no storage plugin is usable: " + String.join("; ", reasons)
                                + "; correct one of these causes");
    }

    private Trial tried(FoundStrategy found) {
        tried.add(found);
        Trial trial = Trial.of(found, config);
        reasons.add(trial.reason());
        return trial;
    }

    private Selection taken(Trial trial) {
        return new Selection(trial.found(), trial.engine().get(), trial.config(), reasons, warnings);
    }

    private static String unknown(String name) {
        return "no plugin found answers to the name " + name;
    }

    /** What is there and in which state, for a name that cannot be served. */
    private String catalogue() {
        if (strategies.isEmpty()) {
            return "no plugin was found at all; check the plugins folder";
        }
        Map<String, List<String>> states = new LinkedHashMap<>();
        for (FoundStrategy found : strategies) {
            states.computeIfAbsent(state(found), state -> new ArrayList<>())
                    .add(found.info().name());
        }
        return "found are: "
                + states.entrySet().stream()
                        .map(state -> String.join(", ", state.getValue()) + " (" + state.getKey() + ")")
                        .collect(Collectors.joining("; "));
    }

    private String state(FoundStrategy found) {
        try {
            Trial trial = Trial.of(found, config);
            return trial.engine()
                    .map(engine -> "ready, engine " + engine.engine())
                    .orElse("unavailable: " + trial.why());
        } catch (ConfigException wrong) {
            return "its configuration is wrong: " + wrong.problems().get(0).sentence();
        }
    }

    private void warn(Origin origin, String key, String sentence) {
        warnings.add(problem(origin, key, sentence));
    }

    private static ConfigProblem problem(Origin origin, String key, String sentence) {
        return new ConfigProblem(origin.source(), origin.line(), origin.column(), key, sentence);
    }

    /** Of every strategy, and of those that are only known once a table names them. */
    private static List<StrategyInfo> infos(
            HostConfig config, List<FoundStrategy> strategies, Function<String, Optional<FoundStrategy>> finder) {
        List<StrategyInfo> infos =
                new ArrayList<>(strategies.stream().map(FoundStrategy::info).toList());
        for (PluginTable table : config.plugins()) {
            if (infos.stream().noneMatch(info -> info.answersTo(table.name()))) {
                finder.apply(table.name()).map(FoundStrategy::info).ifPresent(infos::add);
            }
        }
        return infos;
    }
}
