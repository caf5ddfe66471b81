package io.nixlkv.spi;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One configuration key as data. Values are text until they are asked for; {@link #problem(String)} says what is wrong with a
 * text, so that every mistake of a file can be reported before anything is opened.
 *
 * @param name the key
 * @param type how its text is read
 * @param defaultValue text used when the key is absent; {@code null} if there is none
 * @param min smallest accepted number, for INTEGER, BYTES and DECIMAL
 * @param max largest accepted number
 * @param choices accepted words, for CHOICE, compared without regard to case
 * @param secret whether the value must never be shown
 * @param aliases other accepted spellings
 * @param environment variables that give the value when the file does not, first one set wins
 * @param meaning one sentence
 */
public record Parameter(
        String name,
        Type type,
        String defaultValue,
        BigDecimal min,
        BigDecimal max,
        List<String> choices,
        boolean secret,
        Set<String> aliases,
        List<String> environment,
        String meaning) {

    /** How the text of a value is read. */
    public enum Type {
        /** Any text. */
        STRING,
        /** {@code true} or {@code false} in any case. */
        BOOLEAN,
        /** A whole decimal number. */
        INTEGER,
        /** A decimal number. */
        DECIMAL,
        /** A whole number of bytes, optionally with KiB, MiB or GiB (powers of 1024) or KB, MB, GB (powers of 1000). */
        BYTES,
        /** One of a list of words. */
        CHOICE,
        /** One path or several, separated by commas. */
        PATHS
    }

    private static final int LONGEST_NUMBER = 1000;
    private static final int LONGEST_SHOWN = 100;
    private static final Pattern USER_INFO = Pattern.compile("(//|^(?=[^/@\\s]*:[^/@\\s]*@))[^/@\\s]*@");
    private static final Pattern BYTES_FORM = Pattern.compile("(\\d{1,18})\\s*(|B|KiB|MiB|GiB|KB|MB|GB)");

    public Parameter {
        choices = List.copyOf(choices);
        aliases = Set.copyOf(aliases);
        environment = List.copyOf(environment);
    }

    /** Starts a parameter of {@code type}. */
    public static Builder of(String name, Type type) {
        return new Builder(name, type);
    }

    /** Whether {@code key} is the name or an alias. */
    public boolean answersTo(String key) {
        return name.equals(key) || aliases.contains(key);
    }

    /** What is wrong with {@code text}, as the rest of a sentence that starts with the key's name; empty when it is right. */
    public Optional<String> problem(String text) {
        return switch (type) {
            case STRING -> Optional.empty();
            case BOOLEAN ->
                isBoolean(text) ? Optional.empty() : Optional.of("must be true or false, not " + shown(text));
            case INTEGER ->
                text.matches("[+-]?\\d{1,18}")
                        ? outOfRange(new BigDecimal(text), text)
                        : unwieldy("[+-]?\\d+", text, "must be a whole number");
            case DECIMAL ->
                text.matches("[+-]?\\d{1,18}(\\.\\d{1,18})?")
                        ? outOfRange(new BigDecimal(text), text)
                        : unwieldy("[+-]?\\d+(\\.\\d+)?([eE]\\+?\\d{1,3})?", text, "must be a decimal number");
            case BYTES ->
                BYTES_FORM.matcher(text).matches()
                        ? outOfRange(BigDecimal.valueOf(bytes(text)), text)
                        : Optional.of("must be a number of bytes such as 1048576 or 1MiB, not " + shown(text));
            case CHOICE ->
                choices.stream().anyMatch(c -> c.equalsIgnoreCase(text))
                        ? Optional.empty()
                        : Optional.of("must be one of " + String.join(", ", choices) + ", not " + shown(text));
            case PATHS -> pathsProblem(text);
        };
    }

    /** The range or the choices as text for people; empty when anything goes. */
    public String range() {
        if (type == Type.CHOICE) {
            return String.join(" | ", choices);
        }
        if (type == Type.BOOLEAN) {
            return "true | false";
        }
        if (min == null && max == null) {
            return "";
        }
        return (min == null ? "" : min.toPlainString()) + " … " + (max == null ? "" : max.toPlainString());
    }

    /** {@code text} as a boolean. The caller has checked it with {@link #problem}. */
    public static boolean flag(String text) {
        return text.equalsIgnoreCase("true");
    }

    /** {@code text} as a number of bytes. The caller has checked it with {@link #problem}. */
    public static long bytes(String text) {
        Matcher form = BYTES_FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a number of bytes: " + text);
        }
        long unit = switch (form.group(2)) {
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            case "KB" -> 1_000L;
            case "MB" -> 1_000_000L;
            case "GB" -> 1_000_000_000L;
            default -> 1L;
        };
        try {
            return Math.multiplyExact(Long.parseLong(form.group(1)), unit);
        } catch (ArithmeticException tooLarge) {
            return Long.MAX_VALUE;
        }
    }

    /** {@code text} split on commas, trimmed, without empty parts. */
    public static List<String> paths(String text) {
        return java.util.Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** {@code value} as it may be shown: secrets become {@code ***}, and so does user and password in an address. */
    public String masked(String value) {
        return secret && !value.isEmpty() ? "***" : USER_INFO.matcher(value).replaceAll("$1***@");
    }

    private static boolean isBoolean(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.equals("true") || lower.equals("false");
    }

    /** Numbers that are too long, or too large to be written out, are mostly out of range, and then that is what is wrong. */
    private Optional<String> unwieldy(String form, String text, String rule) {
        Optional<String> range = text.length() <= LONGEST_NUMBER && text.matches(form)
                ? outOfRange(new BigDecimal(text), text)
                : Optional.empty();
        return range.or(() -> Optional.of(rule + ", not " + shown(text)));
    }

    private Optional<String> outOfRange(BigDecimal number, String text) {
        boolean low = min != null && number.compareTo(min) < 0;
        boolean high = max != null && number.compareTo(max) > 0;
        if (!low && !high) {
            return Optional.empty();
        }
        String rule = max == null
                ? "must be at least " + min.toPlainString()
                : min == null ? "must be at most " + max.toPlainString() : "must be in " + range();
        return Optional.of(rule + ", not " + shown(text));
    }

    private Optional<String> pathsProblem(String text) {
        List<String> parts = paths(text);
        if (parts.isEmpty()) {
            return Optional.of("must name at least one path");
        }
        if (new LinkedHashSet<>(parts).size() != parts.size()) {
            return Optional.of("names a path twice: " + shown(text));
        }
        return Optional.empty();
    }

    private String shown(String text) {
        if (secret) {
            return "the given value";
        }
        return "\"" + (text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…") + "\"";
    }

    /** Builds a parameter. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final Type type;
        private String defaultValue;
        private BigDecimal min;
        private BigDecimal max;
        private List<String> choices = List.of();
        private boolean secret;
        private Set<String> aliases = Set.of();
        private List<String> environment = List.of();

        private Builder(String name, Type type) {
            this.name = name;
            this.type = type;
        }

        public Builder defaultValue(String text) {
            defaultValue = text;
            return this;
        }

        public Builder range(long lowest, long highest) {
            min = BigDecimal.valueOf(lowest);
            max = BigDecimal.valueOf(highest);
            return this;
        }

        public Builder atLeast(long lowest) {
            min = BigDecimal.valueOf(lowest);
            return this;
        }

        public Builder choices(String... words) {
            choices = List.of(words);
            return this;
        }

        public Builder secret() {
            secret = true;
            return this;
        }

        public Builder aliases(String... names) {
            aliases = Set.of(names);
            return this;
        }

        public Builder environment(String... variables) {
            environment = List.of(variables);
            return this;
        }

        /**
         * Ends the parameter with its meaning.
         *
         * @throws IllegalArgumentException if the default value is not a right value
         */
        public Parameter meaning(String sentence) {
            Parameter parameter =
                    new Parameter(name, type, defaultValue, min, max, choices, secret, aliases, environment, sentence);
            if (defaultValue != null && !defaultValue.isEmpty()) {
                parameter.problem(defaultValue).ifPresent(problem -> {
                    throw new IllegalArgumentException("default of " + name + " " + problem);
                });
            }
            return parameter;
        }
    }
}
