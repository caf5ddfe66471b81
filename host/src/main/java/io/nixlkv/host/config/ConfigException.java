package io.nixlkv.host.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. Its message has one line for each problem. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** @param problems at least one */
    public ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** One problem that has no place in a file. */
    public ConfigException(String source, String key, String sentence) {
        this(List.of(new ConfigProblem(source, 0, 0, key, sentence)));
    }

    /** All of them, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
