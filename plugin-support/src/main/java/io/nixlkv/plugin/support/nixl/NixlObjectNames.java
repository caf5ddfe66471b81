package io.nixlkv.plugin.support.nixl;

import io.nixlkv.spi.ObjectName;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which names a store of objects takes.
 *
 * @param form what a name must look like beyond the common rule; {@code null} for anything
 * @param rule the same for people, as the rest of a sentence
 * @param maxBytes longest name, UTF-8 bytes
 */
public record NixlObjectNames(Pattern form, String rule, int maxBytes) {
    /** Any object name of at most {@code maxBytes}. */
    public static NixlObjectNames any(int maxBytes) {
        return new NixlObjectNames(null, "", maxBytes);
    }

    /** What is wrong with {@code name}, as a sentence; empty when it is right. */
    Optional<String> problem(String name) {
        if (!ObjectName.valid(name, maxBytes)) {
            return Optional.of(
                    "the name \"" + shortened(name) + "\" is no object name of at most " + maxBytes + " bytes");
        }
        return form == null || form.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("the name \"" + shortened(name) + "\" " + rule);
    }

    private static String shortened(String name) {
        return name.length() <= 100 ? name : name.substring(0, 100) + "…";
    }
}
