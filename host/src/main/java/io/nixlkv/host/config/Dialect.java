package io.nixlkv.host.config;

import java.util.Map;

/** Whose way of writing a configuration it is; what is not written has that dialect's default. */
public enum Dialect {
    /** The product's own: a {@code [store]} table, or nothing at all. */
    OWN("nixlkv", "lmcache", Map.of()),
    /** SGLang's, qualified with {@code plugin} tables or flat, also when only its variables are set. */
    SGLANG("SGLang", "hicache", Map.of()),
    /** LMCache's adapter {@code nixl_native}. */
    NIXL_NATIVE(
            "LMCache nixl_native",
            "lmcache",
            Map.of(
                    HostKeys.USE_DIRECT_IO,
                    "false",
                    "store.atomicity",
                    "all_or_nothing",
                    "plugin.sync",
                    "true",
                    "plugin.file_path",
                    "")),
    /** LMCache's file with {@code extra_config.nixl_*}. */
    LMCACHE(
            "LMCache file",
            "lmcache-engine",
            Map.of(
                    HostKeys.USE_DIRECT_IO,
                    "false",
                    "store.arena_gb",
                    "5.0",
                    "store.local_cpu",
                    "true",
                    "plugin.file_path",
                    ""));

    private final String words;
    private final String layout;
    private final Map<String, String> presets;

    Dialect(String words, String layout, Map<String, String> presets) {
        this.words = words;
        this.layout = layout;
        this.presets = presets;
    }

    /** Its name for people. */
    public String words() {
        return words;
    }

    /** Layout of a store, unless the configuration says otherwise. */
    String layout() {
        return layout;
    }

    /** Defaults that differ from the declared ones, under {@code KEY}, {@code store.KEY} and, for any plugin, {@code plugin.KEY}. */
    Map<String, String> presets() {
        return presets;
    }

    /** Whether SGLang's variables concern it. */
    boolean readsSglangVariables() {
        return this == OWN || this == SGLANG;
    }

    /** Whether a strategy that has {@code file_path} needs it to be given. */
    boolean requiresPath() {
        return !readsSglangVariables();
    }
}
