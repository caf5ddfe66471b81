package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Document;
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
    private static final String INLINE = "inline JSON";
    private static final String ADAPTER = "--l2-adapter";
    private static final String NO_FILE = "no file";
    /** Names the file to read when none is given. */
    static final String LMCACHE_FILE = "LMCACHE_CONFIG_FILE";

    private final RawConfig raw;
    private final Map<String, String> environment;
    private final List<RawValue> calls;
    private final HostValues values;

    private HostConfig(RawConfig raw, Map<String, String> environment, List<RawValue> calls) {
        this.raw = raw;
        this.environment = Dialects.environment(raw.dialect(), environment);
        this.calls = List.copyOf(calls);
        values = new HostValues(raw, this.environment, this.calls);
    }

    private static HostConfig of(RawConfig raw, Map<String, String> environment) {
        return new HostConfig(raw, environment, List.of());
    }

    /**
     * Reads a file: TOML, JSON or YAML, in the product's own, SGLang's or LMCache's dialect. Its content tells which.
     *
     * @throws ConfigException if the file cannot be read as UTF-8 text
     */
    public static HostConfig load(Path file, Map<String, String> environment) {
        return parse(ConfigText.read(file), file.toString(), environment);
    }

    /**
     * Reads text like a file.
     *
     * @param sourceName stands for the file's name in messages and origins
     */
    public static HostConfig parse(String text, String sourceName, Map<String, String> environment) {
        return of(Dialects.read(Document.read(text, sourceName), environment), environment);
    }

    /**
     * What a person gives as a configuration: a path, {@code @path}, or JSON of any dialect. With nothing ({@code null} or blank)
     * the file that {@code LMCACHE_CONFIG_FILE} names, else {@code LMCACHE_EXTRA_CONFIG} alone, else {@link #defaults}.
     *
     * @throws ConfigException if a file cannot be read as UTF-8 text
     */
    public static HostConfig from(String argument, Map<String, String> environment) {
        String text = argument == null ? "" : argument.strip();
        if (text.isEmpty()) {
            return ofEnvironment(environment);
        } else if (text.startsWith("{")) {
            return of(Dialects.read(Document.json(text, INLINE), environment), environment);
        }
        return load(ConfigText.path(text.startsWith("@") ? text.substring(1) : argument), environment);
    }

    /**
     * What a person gives for LMCache's {@code --l2-adapter}: JSON of {@code nixl_native}, a path or {@code @path}.
     *
     * @throws ConfigException if a file cannot be read as UTF-8 text
     */
    public static HostConfig adapter(String argument, Map<String, String> environment) {
        String text = argument.strip();
        Path path = text.startsWith("{") ? null : ConfigText.path(text.startsWith("@") ? text.substring(1) : text);
        Document document =
                path == null ? Document.json(text, ADAPTER) : Document.read(ConfigText.read(path), path.toString());
        return of(NixlNativeDialect.read(document), environment);
    }

    /** What there is without a file. */
    public static HostConfig defaults(Map<String, String> environment) {
        return of(Dialects.nothing(Document.empty(NO_FILE), environment), environment);
    }

    private static HostConfig ofEnvironment(Map<String, String> environment) {
        String file = environment.getOrDefault(LMCACHE_FILE, "").strip();
        if (!file.isEmpty()) {
            return load(ConfigText.path(file), environment);
        }
        if (!environment.getOrDefault(LmcacheKeys.EXTRA_VARIABLE, "").isBlank()) {
            return of(LmcacheDialect.read(Document.empty(NO_FILE), environment), environment);
        }
        return defaults(environment);
    }

    /** Whether {@code environment} names a configuration, so that {@link #from} with nothing reads one. */
    public static boolean isInEnvironment(Map<String, String> environment) {
        return !environment.getOrDefault(LMCACHE_FILE, "").isBlank()
                || !environment.getOrDefault(LmcacheKeys.EXTRA_VARIABLE, "").isBlank();
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

    /** The file's name, {@code inline JSON}, {@code --l2-adapter} or {@code no file}. */
    public String source() {
        return raw.source();
    }

    /** How it was written. */
    public Dialect dialect() {
        return raw.dialect();
    }

    /** What its dialect has to say at level INFO, such as keys that concern the engine; one line each. */
    public List<String> notes() {
        return raw.notes();
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

    /** When the store makes room. @throws ConfigException if anything is wrong with the host's own keys */
    public CleanerSettings cleaner() {
        orThrow(values.findings().problems());
        return CleanerSettings.of(values.top());
    }

    /** The plugin tables in the order of the file, then those that only calls made. */
    public List<PluginTable> plugins() {
        return values.plugins();
    }

    /** The table of a strategy: the first one that it answers to, or SGLang's flat keys as far as they are its own. */
    public Optional<PluginTable> table(StrategyInfo info) {
        return values.table(info);
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
        Findings all = new Findings(raw.names());
        all.addAll(values.findings());
        all.addAll(new StrategyCheck(this, strategies, raw.names(), values.flat()).findings());
        return all;
    }

    /** The values of a strategy's parameters with what is wrong with them. */
    PluginValues pluginValues(Optional<PluginTable> table, StrategyInfo info) {
        return new PluginValues(table, info, values.top().get(HostKeys.USE_DIRECT_IO), environment, raw);
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
