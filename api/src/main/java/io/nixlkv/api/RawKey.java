package io.nixlkv.api;

import java.util.Objects;

/**
 * A key that is the physical name itself, for the layout {@code raw}.
 *
 * @param name relative name; parts separated by {@code /}, none of them empty, {@code .} or {@code ..}
 */
public record RawKey(String name) implements KvKey {
    public RawKey {
        Objects.requireNonNull(name);
    }

    @Override
    public String text() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
