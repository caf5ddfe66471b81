package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;

/**
 * The effective value of a declared key.
 *
 * @param parameter the declaration
 * @param text empty if nobody gave it and it has no default
 * @param origin where it comes from
 */
public record ConfigValue(Parameter parameter, String text, Origin origin) {

    /** The text as it may be shown: a secret is masked. */
    public String shown() {
        return parameter.masked(text);
    }

    /** Whether somebody gave it. */
    public boolean given() {
        return !origin.equals(Origin.DEFAULT);
    }

    boolean flag() {
        return Parameter.flag(text);
    }

    @Override
    public String toString() {
        return parameter.name() + "=" + shown() + " (" + origin + ")";
    }
}
