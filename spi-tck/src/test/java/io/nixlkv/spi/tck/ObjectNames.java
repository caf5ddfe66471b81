package io.nixlkv.spi.tck;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The rule for names that the trial lanes share. */
public final class ObjectNames {
    private ObjectNames() {}

    /** Whether a name is a relative path without empty, {@code .} and {@code ..} parts and without NUL. */
    public static boolean valid(String name, int maxBytes) {
        return name.indexOf('\0') < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= maxBytes
                && Arrays.stream(name.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }
}
