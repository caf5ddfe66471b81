package io.nixlkv.host.config;

import java.util.Comparator;

/**
 * One thing that is wrong, or worth a warning, in a configuration. Never holds a secret value.
 *
 * @param source file name, {@code $VARIABLE} or {@code call}
 * @param line from 1; 0 if it has none
 * @param column from 1; 0 if it has none
 * @param key dotted, such as {@code store.num_workers}; empty if it concerns no key
 * @param sentence what is wrong and what to do
 */
public record ConfigProblem(String source, int line, int column, String key, String sentence) {
    /** By place; what has no line comes last. */
    static final Comparator<ConfigProblem> BY_PLACE = Comparator.comparingInt(
                    (ConfigProblem p) -> p.line == 0 ? Integer.MAX_VALUE : p.line)
            .thenComparingInt(ConfigProblem::column);

    static ConfigProblem at(Origin origin, String key, String sentence) {
        return new ConfigProblem(origin.source(), origin.line(), origin.column(), key, sentence);
    }

    /** {@code file:line:column: key: sentence}. */
    @Override
    public String toString() {
        return new Origin(source, line, column) + ": " + (key.isEmpty() ? "" : key + ": ") + sentence;
    }
}
