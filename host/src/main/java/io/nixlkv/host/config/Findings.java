package io.nixlkv.host.config;

import java.util.ArrayList;
import java.util.List;

/** Collects problems and warnings while a configuration is read. */
final class Findings {
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();

    void problem(Origin origin, String key, String sentence) {
        problems.add(ConfigProblem.at(origin, key, sentence));
    }

    void warning(Origin origin, String key, String sentence) {
        warnings.add(ConfigProblem.at(origin, key, sentence));
    }

    void addAll(Findings other) {
        problems.addAll(other.problems);
        warnings.addAll(other.warnings);
    }

    /** Adds everything of {@code other} as a warning: it concerns something that is not in use. */
    void addAsWarnings(Findings other) {
        warnings.addAll(other.problems);
        warnings.addAll(other.warnings);
    }

    boolean none() {
        return problems.isEmpty();
    }

    List<ConfigProblem> problems() {
        return problems.stream().sorted(ConfigProblem.BY_PLACE).distinct().toList();
    }

    List<ConfigProblem> warnings() {
        return warnings.stream().sorted(ConfigProblem.BY_PLACE).distinct().toList();
    }
}
