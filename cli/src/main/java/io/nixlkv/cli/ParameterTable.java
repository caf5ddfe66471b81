package io.nixlkv.cli;

import io.nixlkv.spi.Parameter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows a strategy's parameters. */
final class ParameterTable {
    private ParameterTable() {}

    static void print(List<Parameter> parameters, PrintStream out) {
        TextTable table = new TextTable("PARAMETER", "TYPE", "DEFAULT", "RANGE", "MEANING");
        for (Parameter parameter : parameters) {
            table.row(
                    parameter.name() + (parameter.secret() ? " (secret)" : ""),
                    type(parameter),
                    preset(parameter).isEmpty() ? "-" : preset(parameter),
                    parameter.range().isEmpty() ? "-" : parameter.range(),
                    parameter.meaning() + variables(parameter));
        }
        table.print(out);
    }

    static List<Map<String, Object>> document(List<Parameter> parameters) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (Parameter parameter : parameters) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", parameter.name());
            entry.put("type", type(parameter));
            entry.put("default", parameter.defaultValue() == null ? null : preset(parameter));
            entry.put("range", parameter.range());
            entry.put("secret", parameter.secret());
            entry.put("aliases", new java.util.TreeSet<>(parameter.aliases()));
            entry.put("environment", parameter.environment());
            entry.put("meaning", parameter.meaning());
            list.add(entry);
        }
        return list;
    }

    private static String type(Parameter parameter) {
        return parameter.type().name().toLowerCase(Locale.ROOT);
    }

    private static String preset(Parameter parameter) {
        return parameter.defaultValue() == null ? "" : parameter.masked(parameter.defaultValue());
    }

    private static String variables(Parameter parameter) {
        return parameter.environment().isEmpty()
                ? ""
                : " Environment: " + String.join(", ", parameter.environment()) + ".";
    }
}
