package io.nixlkv.host.selection;

import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.NearestKey;
import io.nixlkv.host.config.Origin;
import io.nixlkv.host.config.PluginTable;
import io.nixlkv.host.config.RawValue;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.host.discovery.PluginCatalog;
import io.nixlkv.host.discovery.Rejection;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
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
    private final List<Rejection> rejections;
    private final Function<String, Optional<FoundStrategy>> finder;
    private final Set<FoundStrategy> tried = new HashSet<>();
    private final List<String> reasons = new ArrayList<>();
    private final List<ConfigProblem> warnings;

    private Selector(
            HostConfig config,
            List<FoundStrategy> strategies,
            List<Rejection> rejections,
            Function<String, Optional<FoundStrategy>> finder) {
        this.config = config;
        this.strategies = strategies;
        this.rejections = rejections;
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
        return select(config, catalog.strategies(), catalog.rejections(), catalog::find);
    }

    /**
     * Chooses from any strategies.
     *
     * @param rejections jars that give no strategy, for complaints
     * @param finder answers for a name; it may know more than the list, such as adopted strategies
     * @throws ConfigException as for a catalog
     */
    public static Selection select(
            HostConfig config,
            List<FoundStrategy> strategies,
            List<Rejection> rejections,
            Function<String, Optional<FoundStrategy>> finder) {
        return new Selector(config, strategies, rejections, finder).run();
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
                problems.add(problem(table.origin(), table.key(), unknown));
                continue;
            }
            Trial trial = tried(found.get());
            if (trial.engine().isPresent()) {
                return taken(trial);
            }
            lacking &= trial.lacking();
            problems.add(problem(table, trial));
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
        FoundStrategy found = finder.apply(name).orElseThrow(() -> new ConfigException(variable, "", unknown(name)));
        Trial trial = tried(found);
        if (trial.engine().isEmpty()) {
            throw refused(new ConfigException(variable, "", trial.reason()), trial.lacking());
        }
        return taken(trial);
    }

    /** The configuration is right where only the machine lacks something; its place is told by the cause. */
    private static RuntimeException refused(ConfigException problems, boolean lacking) {
        return lacking
                ? new StorageException(
                        Status.UNAVAILABLE,
                        problems.problems().stream()
                                .map(ConfigProblem::sentence)
                                .collect(Collectors.joining("\n")),
                        problems)
                : problems;
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

    private String unknown(String name) {
        List<String> names =
                strategies.stream().map(found -> found.info().name()).toList();
        String meant = NearestKey.of(
                        name.toLowerCase(Locale.ROOT),
                        names.stream()
                                .map(known -> known.toLowerCase(Locale.ROOT))
                                .toList())
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
        return "no plugin found answers to the name " + name + meant + "; " + catalogue();
    }

    /** What is there, and the jars that came to nothing. */
    private String catalogue() {
        String there = strategies.isEmpty()
                ? "no plugin was found at all; check the plugins folder"
                : "found are: "
                        + strategies.stream().map(found -> found.info().name()).collect(Collectors.joining(", "));
        return rejections.isEmpty()
                ? there
                : there + "; rejected are: "
                        + rejections.stream()
                                .map(rejected -> rejected.source() + " (" + rejected.reason() + ")")
                                .collect(Collectors.joining(", "));
    }

    private void warn(Origin origin, String key, String sentence) {
        warnings.add(problem(origin, key, sentence));
    }

    /** At the key that the reason names, by itself or by its value; else at the engine; else at the table. */
    private static ConfigProblem problem(PluginTable table, Trial trial) {
        return table.values().stream()
                .filter(value -> names(trial, value))
                .findFirst()
                .map(value -> problem(value.origin(), table.key() + "." + value.key(), trial.reason()))
                .orElseGet(() -> table.engine().isEmpty()
                        ? problem(table.origin(), table.key(), trial.reason())
                        : problem(table.engineOrigin(), table.key() + ".engine", trial.reason()));
    }

    private static boolean names(Trial trial, RawValue value) {
        boolean paths = trial.found()
                .info()
                .parameter(value.key())
                .filter(parameter -> parameter.type() == Parameter.Type.PATHS)
                .isPresent();
        return Pattern.compile("\\b" + Pattern.quote(value.key()) + "\\b")
                        .matcher(trial.why())
                        .find()
                || paths && Parameter.paths(value.text()).stream().anyMatch(trial.why()::contains);
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
