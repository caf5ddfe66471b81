package io.nixlkv.host.config;

import io.nixlkv.spi.StrategyInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The sample configuration and the reference page, made from what host and strategies declare. Immutable. */
public final class ConfigReference {
    private static final String FIRST = "POSIX";

    private final List<StrategyInfo> found;

    private ConfigReference(List<StrategyInfo> found) {
        this.found = found;
    }

    /** @param strategies those that were found */
    public static ConfigReference of(List<StrategyInfo> strategies) {
        List<StrategyInfo> found = new ArrayList<>(strategies);
        found.sort(
                Comparator.<StrategyInfo, Boolean>comparing(info -> !info.name().equals(FIRST))
                        .thenComparing(StrategyInfo::name));
        return new ConfigReference(found);
    }

    /** A TOML file with every key, its default and its meaning. POSIX is active. */
    public String sample() {
        SampleText text = new SampleText();
        text.head();
        text.keys(HostKeys.TOP_LEVEL);
        text.table("store", "");
        text.keys(HostKeys.STORE);
        for (StrategyInfo info : found) {
            text.plugin(info, info.name().equals(FIRST));
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
        found.forEach(text::plugin);
        text.foreign();
        text.variables(found);
        return text.toString();
    }
}
