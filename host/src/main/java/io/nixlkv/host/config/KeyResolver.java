package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the effective value of each declared key: call, then file, then environment, then default. {@code use_direct_io} is the
 * exception: its variable comes before the file.
 */
final class KeyResolver {
    private final Map<String, String> environment;
    private final Map<String, String> presets;
    private final Findings findings;

    /** @param presets defaults that come before the declared ones, by prefix and name */
    KeyResolver(Map<String, String> environment, Map<String, String> presets, Findings findings) {
        this.environment = environment;
        this.presets = presets;
        this.findings = findings;
    }

    /**
     * @param prefix what stands before a key in messages, such as {@code store.}
     * @param declared all keys there are; values of other keys are left alone
     * @return a value for every declared key, by its name; one that is wrong is reported and replaced by the default
     */
    Map<String, ConfigValue> resolve(
            String prefix, List<Parameter> declared, List<RawValue> file, List<RawValue> calls) {
        Map<String, ConfigValue> resolved = new LinkedHashMap<>();
        for (Parameter parameter : declared) {
            String declaredDefault = parameter.defaultValue() == null ? "" : parameter.defaultValue();
            String preset = presets.getOrDefault(prefix + parameter.name(), declaredDefault);
            ConfigValue value = sources(prefix, parameter, file, calls)
                    .filter(raw -> isRight(prefix, parameter, raw))
                    .map(raw -> new ConfigValue(parameter, canonical(parameter, raw.text()), raw.origin()))
                    .orElse(new ConfigValue(parameter, preset, Origin.DEFAULT));
            resolved.put(parameter.name(), value);
        }
        return resolved;
    }

    /** Reports keys that are neither declared nor {@code alsoKnown}, with the nearest one. */
    void reportUnknown(
            String prefix,
            List<Parameter> declared,
            List<String> alsoKnown,
            List<RawValue> file,
            List<RawValue> calls) {
        List<String> known = new ArrayList<>(alsoKnown);
        declared.forEach(parameter -> {
            known.add(parameter.name());
            known.addAll(parameter.aliases());
        });
        for (List<RawValue> given : List.of(file, calls)) {
            for (RawValue raw : given) {
                if (known.contains(raw.key())) {
                    continue;
                }
                findings.problem(raw.origin(), prefix + raw.key(), unknown(prefix, raw.key(), known));
            }
        }
    }

    private static String unknown(String prefix, String key, List<String> known) {
        if (HostKeys.isTopLevel(key)) {
            return HostKeys.BELONGS_ABOVE;
        }
        if (!prefix.equals("store.") && HostKeys.isOfStore(key)) {
            return "unknown key here; " + key + " belongs to the table [store]";
        }
        return "unknown key"
                + NearestKey.of(key, known)
                        .map(nearest -> "; did you mean " + nearest + "?")
                        .orElse("; known are " + String.join(", ", known));
    }

    private Optional<RawValue> sources(String prefix, Parameter parameter, List<RawValue> file, List<RawValue> calls) {
        Optional<RawValue> call = pick(prefix, parameter, calls);
        Optional<RawValue> written = pick(prefix, parameter, file);
        Optional<RawValue> variable = variable(parameter);
        boolean variableFirst = parameter.environment().contains(HostKeys.DIRECT_IO_VARIABLE);
        return call.or(() -> variableFirst ? variable.or(() -> written) : written.or(() -> variable));
    }

    private Optional<RawValue> pick(String prefix, Parameter parameter, List<RawValue> given) {
        RawValue chosen = null;
        for (RawValue raw : given) {
            if (!parameter.answersTo(raw.key())) {
                continue;
            }
            if (!raw.key().equals(parameter.name())) {
                findings.warning(
                        raw.origin(),
                        prefix + raw.key(),
                        "is another spelling of " + parameter.name() + "; better write that");
            }
            if (!raw.given()) {
                continue;
            }
            if (chosen != null
                    && !chosen.key().equals(raw.key())
                    && !chosen.text().equals(raw.text())) {
                findings.problem(
                        raw.origin(),
                        prefix + raw.key(),
                        raw.key() + " and " + chosen.key() + " (" + chosen.origin()
                                + ") are one setting and have different values; keep one of them");
            }
            if (chosen == null
                    || raw.key().equals(parameter.name())
                    || raw.origin().equals(Origin.CALL)) {
                chosen = raw;
            }
        }
        return Optional.ofNullable(chosen);
    }

    private Optional<RawValue> variable(Parameter parameter) {
        for (String name : parameter.environment()) {
            String text = environment.getOrDefault(name, "");
            if (!text.isEmpty()) {
                String value = name.equals(HostKeys.DIRECT_IO_VARIABLE) ? switchText(text) : text;
                return Optional.of(new RawValue(parameter.name(), RawValue.Shape.TEXT, value, Origin.variable(name)));
            }
        }
        return Optional.empty();
    }

    /** SGLang's variable also takes numbers and words; what it does not take stays as it is and is refused by the type. */
    private static String switchText(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "yes" -> "true";
            case "0", "no" -> "false";
            default -> text;
        };
    }

    private boolean isRight(String prefix, Parameter parameter, RawValue raw) {
        Optional<String> problem = switch (raw.shape()) {
            case TABLE, DATE, ODD_LIST ->
                Optional.of(wanted(parameter) + ", not " + raw.shape().words());
            case LIST ->
                parameter.type() == Parameter.Type.PATHS
                        ? parameter.problem(raw.text())
                        : Optional.of(wanted(parameter) + ", not a list");
            case BOOLEAN ->
                switch (parameter.type()) {
                    case PATHS, INTEGER, DECIMAL, BYTES ->
                        Optional.of(wanted(parameter) + ", not the boolean " + raw.text());
                    default -> parameter.problem(raw.text());
                };
            case NUMBER ->
                parameter.type() == Parameter.Type.PATHS
                        ? Optional.of(wanted(parameter) + ", not a number")
                        : parameter.problem(raw.text());
            case TEXT -> parameter.problem(raw.text());
        };
        problem.ifPresent(sentence -> findings.problem(raw.origin(), prefix + raw.key(), sentence));
        return problem.isEmpty();
    }

    /** Booleans and choices in the declared spelling, so that nobody below compares with regard to case. */
    private static String canonical(Parameter parameter, String text) {
        return switch (parameter.type()) {
            case BOOLEAN -> text.toLowerCase(Locale.ROOT);
            case CHOICE ->
                parameter.choices().stream()
                        .filter(choice -> choice.equalsIgnoreCase(text))
                        .findFirst()
                        .orElse(text);
            default -> text;
        };
    }

    private static String wanted(Parameter parameter) {
        return "must be "
                + switch (parameter.type()) {
                    case STRING -> "a text";
                    case BOOLEAN -> "true or false";
                    case INTEGER -> "a whole number";
                    case DECIMAL -> "a decimal number";
                    case BYTES -> "a number of bytes";
                    case CHOICE -> "one of " + String.join(", ", parameter.choices());
                    case PATHS -> "a path or a list of paths";
                };
    }
}
