package io.nixlkv.spi;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How a strategy presents itself. Validation, {@code nixlkv plugins NAME}, the sample configuration and the reference page all
 * come from this record.
 *
 * @param name NIXL's plugin name, upper case, such as {@code POSIX}
 * @param aliases other accepted names; all names are compared without regard to case, with {@code -} equal to {@code _}
 * @param summary one sentence
 * @param autoRank place in automatic selection, higher first; 0 means it is only used when named
 * @param parameters its configuration keys; the host adds {@code active} and {@code engine}
 */
public record StrategyInfo(String name, Set<String> aliases, String summary, int autoRank, List<Parameter> parameters) {

    /** @throws IllegalArgumentException if the name is not a NIXL plugin identifier or a parameter is declared twice */
    public StrategyInfo {
        if (!name.matches("[A-Z0-9][A-Z0-9_]*")) {
            throw new IllegalArgumentException("strategy name must be an uppercase NIXL plugin identifier: " + name);
        }
        aliases = Set.copyOf(aliases);
        parameters = List.copyOf(parameters);
        long distinct = parameters.stream().map(Parameter::name).distinct().count();
        if (distinct != parameters.size()) {
            throw new IllegalArgumentException("strategy " + name + " declares a parameter twice");
        }
    }

    /** Whether {@code text} is the name or an alias. */
    public boolean answersTo(String text) {
        String wanted = normal(text);
        return normal(name).equals(wanted)
                || aliases.stream().anyMatch(a -> normal(a).equals(wanted));
    }

    /** The parameter called {@code key}, by name or alias. */
    public Optional<Parameter> parameter(String key) {
        return parameters.stream().filter(p -> p.answersTo(key)).findFirst();
    }

    private static String normal(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
