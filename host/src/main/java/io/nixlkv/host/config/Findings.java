package io.nixlkv.host.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects problems and warnings while a configuration is read. */
final class Findings {
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();
    private final Map<Origin, String> names;

    /** @param names the key as it was written at a place, where that is not the one by which it is known here */
    Findings(Map<Origin, String> names) {
        this.names = names;
    }

    void problem(Origin origin, String key, String sentence) {
        problems.add(found(origin, key, sentence));
    }

    void problem(ConfigProblem problem) {
        problems.add(problem);
    }

    void warning(Origin origin, String key, String sentence) {
        warnings.add(found(origin, key, sentence));
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

    List<ConfigProblem> problems() {
        return problems.stream().sorted(ConfigProblem.BY_PLACE).distinct().toList();
    }

    List<ConfigProblem> warnings() {
        return warnings.stream().sorted(ConfigProblem.BY_PLACE).distinct().toList();
    }

    private ConfigProblem found(Origin origin, String key, String sentence) {
        return ConfigProblem.at(origin, origin.line() > 0 ? names.getOrDefault(origin, key) : key, sentence);
    }
}
