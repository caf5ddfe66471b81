package io.nixlkv.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast nixlkv wants to be in relation to native NIXL's best queue. Other pairings have no target.
 *
 * @param ratios by {@code MODE/WORKLOAD/OPERATION}
 */
record Targets(Map<String, Double> ratios) {
    /** The project's own targets. */
    static final String DEFAULT = "buffered/32x1MiB/load=1.0,buffered/32x1MiB/store=0.9,"
            + "buffered/128x256KiB/load=0.75,buffered/128x256KiB/store=0.8";

    private static final Pattern TEXT =
            Pattern.compile("(buffered|direct)/([^/]+)/(store|load)=(\\d{1,3}(?:\\.\\d{1,6})?)");

    Targets {
        ratios = Map.copyOf(ratios);
    }

    /**
     * Reads a list such as {@link #DEFAULT}; an empty text has no targets.
     *
     * @throws IllegalArgumentException if it is no such list
     */
    static Targets parse(String text) {
        Map<String, Double> ratios = new HashMap<>();
        for (String part : text.isBlank() ? new String[0] : text.split(",")) {
            Matcher matcher = TEXT.matcher(part.strip());
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "a target is written as buffered/32x1MiB/load=1.0, not \"" + part + "\"");
            }
            String workload = Workload.parse(matcher.group(2)).label();
            ratios.put(
                    matcher.group(1) + "/" + workload + "/" + matcher.group(3), Double.parseDouble(matcher.group(4)));
        }
        return new Targets(ratios);
    }

    OptionalDouble find(Setting setting, Operation operation, Entrant subject, String opponent) {
        if (!subject.family().equals(Entrants.NIXLKV) || !opponent.equals(Entrants.NIXL)) {
            return OptionalDouble.empty();
        }
        Double ratio =
                ratios.get(setting.mode().label() + "/" + setting.workload().label() + "/" + operation.label());
        return ratio == null ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }
}
