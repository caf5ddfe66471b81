package io.nixlkv.host.config;

import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The resolved configuration. Immutable and thread-safe; {@code toString} shows no value.
 *
 * <p>Each value comes from the first of: a call, the file, an environment variable, the default. The variable {@code
 * SGLANG_HICACHE_NIXL_USE_DIRECT_IO} alone comes before the file. An empty text counts as not given.
 *
 * <p>Mistakes do not stop the reading, so that all of them can be told at once: {@link #validate} lists them, and whatever hands
 * out settings throws a {@link ConfigException} with all that concern it.
 */
public final class HostConfig {
    private final RawConfig raw;
    private final Map<String, String> environment;
    private final List<RawValue> calls;
    private final HostValues values;

    private HostConfig(RawConfig raw, Map<String, String> environment, List<RawValue> calls) {
        this.raw = raw;
        this.environment = Map.copyOf(environment);
        this.calls = List.copyOf(calls);
        values = new HostValues(raw, this.environment, this.calls);
    }

    /**
     * Reads a TOML file.
     *
     * @throws ConfigException if the file cannot be read as UTF-8 text
     */
    public static HostConfig load(Path file, Map<String, String> environment) {
        return parse(ConfigText.read(file), file.toString(), environment);
    }

    /**
     * Reads TOML text.
     *
     * @param sourceName stands for the file's name in messages and origins
     */
    public static HostConfig parse(String tomlText, String sourceName, Map<String, String> environment) {
        return new HostConfig(TomlReader.read(tomlText, sourceName), environment, List.of());
    }

    /** What there is without a file. */
    public static HostConfig defaults(Map<String, String> environment) {
        return new HostConfig(RawConfig.empty("no file"), environment, List.of());
    }

    /**
     * This configuration with one value of the caller's, which comes before all others.
     *
     * @param dottedKey such as {@code store.arena_gb}, {@code plugin.posix.file_path} or {@code use_direct_io}; an unknown one is
     *     a problem like any other
     */
    public HostConfig withCall(String dottedKey, String value) {
        List<RawValue> more = new ArrayList<>(calls);
        more.removeIf(call -> call.key().equals(dottedKey));
        more.add(new RawValue(dottedKey, RawValue.Shape.TEXT, value, Origin.CALL));
        return new HostConfig(raw, environment, more);
    }

    /** The file's name, or {@code no file}. */
    public String source() {
        return raw.source();
    }

    /** The store's settings. @throws ConfigException if anything is wrong with the host's own keys */
    public StoreSettings store() {
        orThrow(values.findings().problems());
        return StoreSettings.of(values.top(), values.store());
    }

    /** How the store holds its objects. @throws ConfigException if anything is wrong with the host's own keys */
    public ModeSettings modes() {
        orThrow(values.findings().problems());
        return ModeSettings.of(values.store());
    }

    /** The plugin tables in the order of the file, then those that only calls made. */
    public List<PluginTable> plugins() {
        return values.plugins();
    }

    /** The table of a strategy: the first one that it answers to. */
    public Optional<PluginTable> table(StrategyInfo info) {
        return plugins().stream().filter(table -> info.answersTo(table.name())).findFirst();
    }

    /** The plugin that {@code SGLANG_HICACHE_NIXL_BACKEND_PLUGIN} names; empty if unset, empty or {@code auto}. */
    public Optional<String> pluginOfEnvironment() {
        return Optional.ofNullable(environment.get(HostKeys.PLUGIN_VARIABLE))
                .map(String::trim)
                .filter(name -> !name.isEmpty() && !name.equalsIgnoreCase("auto"));
    }

    /** The name of the variable behind {@link #pluginOfEnvironment}. */
    public static String pluginVariable() {
        return HostKeys.PLUGIN_VARIABLE;
    }

    /**
     * The checked values of a strategy's parameters.
     *
     * @param table its table, if it has one
     * @throws ConfigException if anything is wrong with them
     */
    public StrategyConfig strategyConfig(Optional<PluginTable> table, StrategyInfo info) {
        PluginValues plugin = pluginValues(table, info);
        orThrow(plugin.findings().problems());
        return plugin.config();
    }

    /**
     * Everything that is wrong, in the order of the file: the syntax, the host's keys, and the tables of {@code strategies} that
     * may be used. A table that nothing answers to is left for the selection to judge.
     */
    public List<ConfigProblem> validate(List<StrategyInfo> strategies) {
        return check(strategies).problems();
    }

    /** What is worth a warning in the host's own keys. */
    public List<ConfigProblem> warnings() {
        return values.findings().warnings();
    }

    /** What is worth a warning, mistakes in tables that are not in use included. */
    public List<ConfigProblem> warnings(List<StrategyInfo> strategies) {
        return check(strategies).warnings();
    }

    /** The host's keys for people, secrets masked. Where a value is wrong the default is shown. */
    public List<ShownValue> resolved() {
        return Stream.concat(shown("", values.top()).stream(), shown("store.", values.store()).stream())
                .toList();
    }

    /** The parameters of one strategy for people, secrets masked. Where a value is wrong the default is shown. */
    public List<ShownValue> resolved(Optional<PluginTable> table, StrategyInfo info) {
        return pluginValues(table, info).shown();
    }

    @Override
    public String toString() {
        return "configuration of " + raw.source();
    }

    private Findings check(List<StrategyInfo> strategies) {
        Findings all = new Findings();
        all.addAll(values.findings());
        for (StrategyInfo info : strategies) {
            List<PluginTable> tables = plugins().stream()
                    .filter(table -> info.answersTo(table.name()))
                    .toList();
            for (PluginTable table : tables) {
                PluginTable first = tables.get(0);
                if (table != first && !table.isCalled(first.name())) {
                    all.problem(
                            table.origin(),
                            table.key(),
                            "is the same plugin as [" + first.key() + "] (" + first.origin() + "); keep one table");
                }
                Findings found = pluginValues(Optional.of(table), info).findings();
                if (mayBeUsed(table, info)) {
                    all.addAll(found);
                } else {
                    all.addAsWarnings(found);
                }
            }
        }
        return all;
    }

    private boolean mayBeUsed(PluginTable table, StrategyInfo info) {
        if (table.active().isPresent()) {
            return table.active().get();
        }
        boolean otherActive =
                plugins().stream().anyMatch(other -> other.active().orElse(false));
        return !otherActive && pluginOfEnvironment().map(info::answersTo).orElse(true);
    }

    private PluginValues pluginValues(Optional<PluginTable> table, StrategyInfo info) {
        return new PluginValues(table, info, values.top().get(HostKeys.USE_DIRECT_IO), environment);
    }

    private static List<ShownValue> shown(String prefix, Map<String, ConfigValue> values) {
        return values.values().stream()
                .map(value -> new ShownValue(
                        prefix + value.parameter().name(),
                        value.shown(),
                        value.origin().toString()))
                .toList();
    }

    private static void orThrow(List<ConfigProblem> problems) {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }
}
