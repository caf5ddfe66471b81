package io.nixlkv.host.config;

import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The sample configuration and the reference page, made from what host and strategies declare. Immutable. */
public final class ConfigReference {
    private static final String FIRST = "POSIX";

    private final List<StrategyInfo> found;
    private final List<StrategyInfo> absent;

    private ConfigReference(List<StrategyInfo> found, List<StrategyInfo> absent) {
        this.found = found;
        this.absent = absent;
    }

    /** @param strategies those that were found; tables of SGLang's document that none of them has are added */
    public static ConfigReference of(List<StrategyInfo> strategies) {
        List<StrategyInfo> found = new ArrayList<>(strategies);
        found.sort(
                Comparator.<StrategyInfo, Boolean>comparing(info -> !info.name().equals(FIRST))
                        .thenComparing(StrategyInfo::name));
        List<StrategyInfo> absent = KnownPlugins.ALL.stream()
                .filter(known -> found.stream().noneMatch(info -> info.answersTo(known.name())))
                .toList();
        return new ConfigReference(found, absent);
    }

    /** A TOML file with every key, its default and its meaning. POSIX is active. */
    public String sample() {
        SampleText text = new SampleText();
        text.head();
        text.keys(HostKeys.TOP_LEVEL, "");
        text.table("store", "", "");
        text.keys(HostKeys.STORE, "");
        for (StrategyInfo info : found) {
            text.plugin(info, info.name().equals(FIRST), "");
        }
        for (StrategyInfo info : absent) {
            text.plugin(info, false, "# ");
        }
        return text.toString();
    }

    /** The reference of every key and variable as Markdown. */
    public String page() {
        ReferenceText text = new ReferenceText();
        text.head();
        text.keys(
                "Top level", "Above the first table, in the product's own files and in SGLang's.", HostKeys.TOP_LEVEL);
        text.keys(
                "`[store]`",
                "Only in the product's own files; also from `KvHost` and options of the command.",
                HostKeys.STORE);
        text.keys("`[plugin.NAME]`", "In every plugin's table, beside the plugin's own keys.", HostKeys.PLUGIN);
        found.forEach(info -> text.plugin(info, true));
        absent.forEach(info -> text.plugin(info, false));
        text.foreign();
        List<StrategyInfo> all = new ArrayList<>(found);
        all.addAll(absent);
        text.variables(all);
        return text.toString();
    }
}
