package io.nixlkv.host.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One {@code [plugin.NAME]} table, with what calls added to it.
 *
 * @param name as written
 * @param active whether it is chosen explicitly; empty if not said
 * @param engine the engine asked for; empty if none is, or {@code auto}
 * @param values everything else, unchecked until the strategy's parameters are known
 * @param origin where the table begins
 * @param engineOrigin where the engine is given
 */
public record PluginTable(
        String name,
        Optional<Boolean> active,
        String engine,
        List<RawValue> values,
        Origin origin,
        Origin engineOrigin) {
    public PluginTable {
        values = List.copyOf(values);
    }

    /** The key of the table, such as {@code plugin.posix}. */
    public String key() {
        return "plugin." + name;
    }

    /** Whether the table is for a plugin of that name: case does not matter, {@code -} equals {@code _}. */
    boolean isCalled(String other) {
        return sameName(name, other);
    }

    static boolean sameName(String one, String other) {
        return normal(one).equals(normal(other));
    }

    private static String normal(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
