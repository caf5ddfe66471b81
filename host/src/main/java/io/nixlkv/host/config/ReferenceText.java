package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes the reference page. */
final class ReferenceText {
    private final StringBuilder out = new StringBuilder();

    void head() {
        out.append("""
                # Configuration

                Made from what the code declares, and compared by a test: change the code, then run
                `./nixlkv config reference > docs/configuration.md` and
                `./nixlkv config sample > dist/src/main/conf/nixlkv.toml.sample`.

                ## How a configuration is given

                `--config` and `KvHost.open` take a path, `@path`, or JSON (`'{…}'`). `--l2-adapter` takes what LMCache's option of
                that name takes. With nothing, the file that `LMCACHE_CONFIG_FILE` names is read, else there are only the
                environment and the defaults. Files are TOML, JSON or YAML in UTF-8; the content tells which, and in whose dialect:

                | content | dialect | layout | other defaults |
                |---|---|---|---|
                """);
        dialect("a `[store]` table, or nothing at all", Dialect.OWN);
        dialect(
                "`plugin` tables without `store`, or the keys of one plugin (flat), or only `SGLANG_HICACHE_NIXL_…` variables",
                Dialect.SGLANG);
        dialect("`type`, `backend`, `backend_params`", Dialect.NIXL_NATIVE);
        dialect("`extra_config` with `nixl_…` keys (`doca-memos` with backend DOCA_MEMOS)", Dialect.LMCACHE);
        out.append("""

                The value of a key comes from the first of: call or command-line option, file, environment variable, default.
                `SGLANG_HICACHE_NIXL_USE_DIRECT_IO` alone comes before the file. An empty text counts as not given. Booleans may
                be written as texts (`"true"`, `"False"`), numbers too. A key that is defined twice is an error in all three
                languages. An unknown key is an error in `[store]` and in plugin tables, with the nearest known one; at the top
                level it is a warning. LMCache's files do not read `SGLANG_…` variables.

                `nixlkv config check FILE` shows every mistake at once, each with file, line, column and key, and the resolved
                configuration with the origin of each value. What only the chosen plugin can judge (engines, directories, values that exclude
                each other) it tells when the values themselves are right. It exits with 2 if there is a mistake.
                """);
    }

    private void dialect(String content, Dialect dialect) {
        List<String> presets = new ArrayList<>();
        new TreeMap<>(dialect.presets()).forEach((key, text) -> {
            String name = key.startsWith("plugin.") ? key.substring("plugin.".length()) : key;
            presets.add(text.isEmpty() ? "`" + name + "` is required" : "`" + name + " = " + text + "`");
        });
        row(
                content,
                dialect.words(),
                "`" + dialect.layout() + "`",
                presets.isEmpty() ? "–" : String.join(", ", presets));
    }

    void keys(String title, String summary, List<Parameter> parameters) {
        out.append("\n## ").append(title).append("\n\n").append(summary).append("\n\n");
        row("key", "type", "default", "values", "meaning");
        out.append("|---|---|---|---|---|\n");
        for (Parameter parameter : parameters) {
            row(
                    "`" + parameter.name() + "`",
                    parameter.type().name().toLowerCase(Locale.ROOT) + (parameter.secret() ? ", secret" : ""),
                    empty(parameter.defaultValue()) ? "–" : "`" + parameter.defaultValue() + "`",
                    SampleText.range(parameter).isEmpty()
                            ? "–"
                            : SampleText.range(parameter).replace("|", "\\|"),
                    parameter.meaning() + also(parameter));
        }
    }

    void plugin(StrategyInfo info) {
        String names = "`[plugin." + info.name().toLowerCase(Locale.ROOT) + "]`"
                + (info.aliases().isEmpty()
                        ? ""
                        : " (also `" + String.join("`, `", new TreeSet<>(info.aliases())) + "`)");
        keys(
                names,
                info.summary(),
                info.parameters().stream()
                        .filter(parameter -> !HostKeys.isTopLevel(parameter.name()))
                        .toList());
    }

    void foreign() {
        foreign(
                "LMCache `nixl_native`",
                "JSON for `--config` or `--l2-adapter`. Keys that are not here have no effect, and are named at level INFO.",
                NixlNativeDialect.KEYS);
        foreign(
                "LMCache file, top level",
                "Keys that do not concern storage have no effect, and are named in one line at level INFO.",
                LmcacheKeys.TOP);
        foreign("LMCache file, `extra_config`", "Unknown `nixl_…` keys are errors.", LmcacheKeys.INSIDE);
    }

    private void foreign(String title, String summary, Map<String, String> keys) {
        out.append("\n## ").append(title).append("\n\n").append(summary).append("\n\n");
        row("key", "rule");
        out.append("|---|---|\n");
        keys.forEach((key, rule) -> row("`" + key + "`", rule));
    }

    void variables(List<StrategyInfo> strategies) {
        Map<String, String> variables = new TreeMap<>(HostKeys.VARIABLES);
        for (Parameter parameter : HostKeys.TOP_LEVEL) {
            parameter.environment().forEach(name -> variables.put(name, "`" + parameter.name() + "`"));
        }
        for (StrategyInfo info : strategies) {
            for (Parameter parameter : info.parameters()) {
                for (String name : parameter.environment()) {
                    variables.merge(
                            name,
                            "`" + parameter.name() + "` of " + info.name(),
                            (before, added) -> before + ", " + added);
                }
            }
        }
        out.append("\n## Environment variables\n\n");
        row("variable", "gives");
        out.append("|---|---|\n");
        variables.forEach((name, gives) -> row("`" + name + "`", gives));
    }

    private static String also(Parameter parameter) {
        String aliases = parameter.aliases().isEmpty()
                ? ""
                : " Also `" + String.join("`, `", new TreeSet<>(parameter.aliases())) + "`.";
        return aliases
                + (parameter.environment().isEmpty()
                        ? ""
                        : " Environment: `" + String.join("`, `", parameter.environment()) + "`.");
    }

    private static boolean empty(String text) {
        return text == null || text.isEmpty();
    }

    private void row(String... cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
