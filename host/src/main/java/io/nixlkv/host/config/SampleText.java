package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Locale;

/** Writes the sample configuration. */
final class SampleText {
    private final StringBuilder out = new StringBuilder();

    void head() {
        out.append("""
                # A configuration of nixlkv with every key: copy it, change it, and give it with --config.
                # Every value here is the default; a key without one is commented out. Made by `nixlkv config sample`;
                # docs/configuration.md has the same keys as a table, and LMCache's and SGLang's own files as well.

                """);
    }

    void table(String name, String summary) {
        out.append('\n');
        if (!summary.isEmpty()) {
            out.append("# ").append(summary).append('\n');
        }
        out.append('[').append(name).append("]\n");
    }

    void keys(List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            key(parameter);
        }
    }

    void plugin(StrategyInfo info, boolean active) {
        table("plugin." + info.name().toLowerCase(Locale.ROOT), info.summary());
        for (Parameter parameter : HostKeys.PLUGIN) {
            if (parameter.name().equals("active")) {
                comment(parameter);
                out.append("active = ").append(active).append('\n');
            } else {
                key(parameter);
            }
        }
        for (Parameter parameter : info.parameters()) {
            if (!HostKeys.isTopLevel(parameter.name())) {
                key(parameter);
            }
        }
    }

    private void key(Parameter parameter) {
        comment(parameter);
        boolean preset =
                parameter.defaultValue() != null && !parameter.defaultValue().isEmpty();
        out.append(preset ? "" : "# ")
                .append(parameter.name())
                .append(" = ")
                .append(preset ? literal(parameter) : example(parameter))
                .append('\n');
    }

    private void comment(Parameter parameter) {
        out.append("# ").append(parameter.meaning());
        if (!range(parameter).isEmpty() && parameter.type() != Parameter.Type.BOOLEAN) {
            out.append(" Values: ").append(range(parameter)).append('.');
        }
        if (parameter.secret()) {
            out.append(" A secret: better given by the environment.");
        }
        if (!parameter.environment().isEmpty()) {
            out.append(" Environment: ")
                    .append(String.join(", ", parameter.environment()))
                    .append('.');
        }
        out.append('\n');
    }

    /** {@link Parameter#range()}, open ends in words. */
    static String range(Parameter parameter) {
        return parameter.max() == null && parameter.min() != null
                ? "at least " + parameter.min().toPlainString()
                : parameter.range();
    }

    private static String literal(Parameter parameter) {
        String text = parameter.defaultValue();
        return switch (parameter.type()) {
            case BOOLEAN, INTEGER, DECIMAL -> text;
            case BYTES -> text.matches("\\d+") ? text : '"' + text + '"';
            default -> '"' + text + '"';
        };
    }

    private static String example(Parameter parameter) {
        return switch (parameter.type()) {
            case BOOLEAN -> "false";
            case INTEGER, DECIMAL, BYTES ->
                parameter.min() == null
                        ? "1"
                        : parameter.min().max(java.math.BigDecimal.ONE).toPlainString();
            case CHOICE -> '"' + parameter.choices().get(0) + '"';
            default -> "\"\"";
        };
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
