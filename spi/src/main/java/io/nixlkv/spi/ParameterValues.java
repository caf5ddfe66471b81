package io.nixlkv.spi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values of declared parameters: the one implementation of {@link StrategyConfig}, used by the host and by tests. */
public final class ParameterValues implements StrategyConfig {

    /** A value and the place that gave it. */
    public record Value(String text, String origin) {}

    private static final String DEFAULT = "default";

    private final Map<String, Parameter> declared = new LinkedHashMap<>();
    private final Map<String, Value> values = new LinkedHashMap<>();

    /**
     * @param declared every parameter there is
     * @param given values by parameter name (not alias); keys left out take their default
     * @throws IllegalArgumentException if a key is not declared or a value is not a right one
     */
    public ParameterValues(List<Parameter> declared, Map<String, Value> given) {
        for (Parameter parameter : declared) {
            this.declared.put(parameter.name(), parameter);
            String preset = parameter.defaultValue() == null ? "" : parameter.defaultValue();
            values.put(parameter.name(), new Value(preset, DEFAULT));
        }
        given.forEach((key, value) -> {
            Parameter parameter = require(key);
            if (value.text().isEmpty()) {
                return;
            }
            parameter.problem(value.text()).ifPresent(problem -> {
                throw new IllegalArgumentException(value.origin() + ": " + key + " " + problem);
            });
            values.put(key, value);
        });
    }

    /** Values for tests and programs: every text has the origin {@code call}. */
    public static ParameterValues of(List<Parameter> declared, Map<String, String> given) {
        return new ParameterValues(
                declared,
                given.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> new Value(e.getValue(), "call"))));
    }

    @Override
    public String text(String key) {
        require(key);
        return values.get(key).text();
    }

    @Override
    public boolean flag(String key) {
        return Parameter.flag(text(key));
    }

    @Override
    public long number(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            return 0;
        }
        return declared.get(key).type() == Parameter.Type.BYTES ? Parameter.bytes(text) : Long.parseLong(text);
    }

    @Override
    public List<String> paths(String key) {
        return Parameter.paths(text(key));
    }

    @Override
    public boolean given(String key) {
        return !origin(key).equals(DEFAULT);
    }

    @Override
    public String origin(String key) {
        require(key);
        return values.get(key).origin();
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(e -> e.getKey() + "="
                        + declared.get(e.getKey()).masked(e.getValue().text()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private Parameter require(String key) {
        Parameter parameter = declared.get(key);
        if (parameter == null) {
            throw new IllegalArgumentException(
                    "parameter " + key + " is not declared; declared are " + declared.keySet());
        }
        return parameter;
    }
}
