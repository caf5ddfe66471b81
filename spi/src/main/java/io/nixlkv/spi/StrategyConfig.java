package io.nixlkv.spi;

import java.util.List;

/**
 * The validated values of one strategy's parameters. An absent key without a default has the text {@code ""}: an empty string
 * counts as not given. Immutable and thread-safe; {@code toString} masks secrets.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a key that the strategy does not declare.
 */
public interface StrategyConfig {
    /** The value's text; {@code ""} when absent. */
    String text(String key);

    /** The value of a BOOLEAN; false when absent. */
    boolean flag(String key);

    /** The value of an INTEGER or BYTES; 0 when absent. */
    long number(String key);

    /** The parts of PATHS; empty when absent. */
    List<String> paths(String key);

    /** Whether the value was given, by a file, a variable or a call, rather than by default. */
    boolean given(String key);

    /** Where the value comes from: {@code file:line}, {@code $VARIABLE}, {@code call} or {@code default}. */
    String origin(String key);
}
