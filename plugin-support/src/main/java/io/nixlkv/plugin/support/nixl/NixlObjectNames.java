package io.nixlkv.plugin.support.nixl;

import io.nixlkv.plugin.support.object.KeyRules;
import io.nixlkv.spi.ObjectName;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Which names a store of objects takes, and the keys they become.
 *
 * @param prefix put before each name, without change
 * @param fault what is wrong with a name, as the rest of a sentence; {@code null} when it is right
 * @param maxBytes longest name, UTF-8 bytes
 * @param slots put before the 32 hexadecimal digits of a pool's slot
 */
public record NixlObjectNames(String prefix, Function<String, String> fault, int maxBytes, String slots) {
    private static final int SHOWN = 100;

    /** Any object name of at most {@code maxBytes}. */
    public static NixlObjectNames any(int maxBytes) {
        return new NixlObjectNames("", name -> unusual(name, maxBytes), maxBytes, "nixlkv-pool-");
    }

    /** The names that a store with these rules takes. */
    public static NixlObjectNames of(KeyRules rules) {
        return new NixlObjectNames(
                rules.prefix(), rules::problem, rules.maxNameBytes(), rules.prefix() + KeyRules.RESERVED + "pool-");
    }

    /**
     * Names that look like {@code form}; slots have 32 hexadecimal digits and nothing else.
     *
     * @param rule the same for people, as the rest of a sentence
     */
    public static NixlObjectNames of(Pattern form, String rule, int maxBytes) {
        return new NixlObjectNames(
                "",
                name -> {
                    String unusual = unusual(name, maxBytes);
                    return unusual != null || form.matcher(name).matches() ? unusual : rule;
                },
                maxBytes,
                "");
    }

    private static String unusual(String name, int maxBytes) {
        return ObjectName.valid(name, maxBytes) ? null : "is no object name of at most " + maxBytes + " bytes";
    }

    /** What is wrong with {@code name}, as a sentence; empty when it is right. */
    Optional<String> problem(String name) {
        String wrong = fault.apply(name);
        return wrong == null ? Optional.empty() : Optional.of("the name \"" + shortened(name) + "\" " + wrong);
    }

    /** What NIXL gets. */
    String key(String name) {
        return prefix + name;
    }

    private static String shortened(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…";
    }
}
