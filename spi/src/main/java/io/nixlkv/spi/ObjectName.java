package io.nixlkv.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The rule that every object name obeys: a relative path of non-empty parts, none of them {@code .} or {@code ..}, without NUL. A
 * lane answers any other name with {@link Status#INVALID}, so that no name leaves its root even if a host forgot to check.
 */
public final class ObjectName {
    private ObjectName() {}

    /**
     * Whether {@code name} obeys the rule.
     *
     * @param maxBytes longest name, UTF-8 bytes, of {@link Capabilities#maxNameBytes()}
     */
    public static boolean valid(String name, int maxBytes) {
        return name.indexOf('\0') < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= maxBytes
                && Arrays.stream(name.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }
}
