package io.nixlkv.host.config;

import io.nixlkv.host.config.RawValue.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads the product's TOML into values with positions. */
final class TomlReader {
    private static final Pattern DEFINED_TWICE = Pattern.compile("(\\S+) previously defined at line (\\d+).*");
    private static final Pattern EXPECTED = Pattern.compile("Unexpected .*, expected (.*)", Pattern.DOTALL);

    private final String source;
    private final Findings findings = new Findings();
    private final List<String> lines = new ArrayList<>();
    private final Set<Integer> brokenHeaders = new HashSet<>();

    private TomlReader(String source) {
        this.source = source;
    }

    static RawConfig read(String text, String source) {
        String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return new TomlReader(source).read(unmarked);
    }

    private RawConfig read(String text) {
        TomlParseResult result = Toml.parse(text);
        text.lines().forEach(line -> lines.add(line.strip()));
        boolean complete = true;
        for (TomlParseError error : result.errors()) {
            boolean twice = syntaxProblem(error);
            boolean header = isHeader(error.position().line());
            if (header) {
                brokenHeaders.add(error.position().line());
            }
            complete &= twice && !header;
        }
        return collect(result, complete);
    }

    private RawConfig collect(TomlTable root, boolean complete) {
        List<RawValue> top = new ArrayList<>();
        List<RawValue> store = new ArrayList<>();
        List<RawConfig.RawTable> plugins = new ArrayList<>();
        Origin storeOrigin = null;
        for (String key : root.keySet()) {
            Origin origin = origin(root, key);
            Object value = root.get(List.of(key));
            if (key.equals("store") && value instanceof TomlTable table) {
                storeOrigin = origin;
                store = values(table);
            } else if (key.equals("plugin") && value instanceof TomlTable tables) {
                plugins = plugins(tables);
            } else if (isMisplaced(origin)) {
                continue;
            } else if (key.equals("store")) {
                findings.problem(origin, key, "must be the table [store]");
            } else if (key.equals("plugin")) {
                findings.problem(origin, key, "must be one table [plugin.NAME] for each plugin");
            } else {
                top.add(value(key, value, origin));
            }
        }
        return new RawConfig(source, top, store, Optional.ofNullable(storeOrigin), plugins, findings, complete);
    }

    private List<RawConfig.RawTable> plugins(TomlTable tables) {
        List<RawConfig.RawTable> plugins = new ArrayList<>();
        for (String name : tables.keySet()) {
            Origin origin = origin(tables, name);
            if (isMisplaced(origin)) {
                continue;
            }
            if (tables.get(List.of(name)) instanceof TomlTable table) {
                plugins.add(new RawConfig.RawTable(name, values(table), origin));
            } else {
                findings.problem(
                        origin,
                        "plugin." + name,
                        "a plugin's keys go into its own table [plugin.NAME], not into [plugin]");
            }
        }
        return plugins;
    }

    private List<RawValue> values(TomlTable table) {
        List<RawValue> values = new ArrayList<>();
        for (String key : table.keySet()) {
            Origin origin = origin(table, key);
            if (!isMisplaced(origin)) {
                values.add(value(key, table.get(List.of(key)), origin));
            }
        }
        return values;
    }

    /** Below a header that the parser dropped it takes keys for another table's. */
    private boolean isMisplaced(Origin origin) {
        if (brokenHeaders.isEmpty()) {
            return false;
        }
        int line = origin.line();
        while (line > 0 && !isHeader(line)) {
            line--;
        }
        return brokenHeaders.contains(line);
    }

    private boolean isHeader(int line) {
        return line <= lines.size() && lines.get(line - 1).startsWith("[");
    }

    private static RawValue value(String key, Object value, Origin origin) {
        if (value instanceof String text) {
            return new RawValue(key, Shape.TEXT, text, origin);
        } else if (value instanceof Boolean flag) {
            return new RawValue(key, Shape.BOOLEAN, flag.toString(), origin);
        } else if (value instanceof Long number) {
            return new RawValue(key, Shape.NUMBER, number.toString(), origin);
        } else if (value instanceof Double number) {
            return new RawValue(key, Shape.NUMBER, plain(number), origin);
        } else if (value instanceof TomlArray list) {
            return list(key, list, origin);
        } else if (value instanceof TomlTable) {
            return new RawValue(key, Shape.TABLE, "", origin);
        }
        return new RawValue(key, Shape.DATE, "", origin);
    }

    private static RawValue list(String key, TomlArray list, Origin origin) {
        List<Object> items = IntStream.range(0, list.size()).mapToObj(list::get).toList();
        boolean plainTexts =
                items.stream().allMatch(item -> item instanceof String text && !text.contains(",") && !text.isBlank());
        if (!plainTexts) {
            return new RawValue(key, Shape.ODD_LIST, "", origin);
        }
        return new RawValue(
                key, Shape.LIST, items.stream().map(Object::toString).collect(Collectors.joining(",")), origin);
    }

    private static String plain(double number) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number).toPlainString()
                : Double.toString(number).toLowerCase(Locale.ROOT);
    }

    private Origin origin(TomlTable table, String key) {
        TomlPosition position = table.inputPositionOf(List.of(key));
        return position == null ? new Origin(source, 0, 0) : new Origin(source, position.line(), position.column());
    }

    /**
     * Words the parser's message anew, without what it found: that may be part of a secret. Returns whether it is about something
     * defined twice.
     */
    private boolean syntaxProblem(TomlParseError error) {
        Origin origin =
                new Origin(source, error.position().line(), error.position().column());
        String message = error.getMessage();
        Matcher twice = DEFINED_TWICE.matcher(message);
        if (twice.matches()) {
            findings.problem(
                    origin, twice.group(1), "is defined twice, first in line " + twice.group(2) + "; keep one of them");
            return true;
        }
        Matcher expected = EXPECTED.matcher(message);
        if (expected.matches()) {
            findings.problem(origin, "", "is not TOML here; expected " + expected.group(1));
        } else if (message.startsWith("Invalid escape sequence")) {
            findings.problem(origin, "", "has an escape sequence that TOML does not know; write \\\\ for a backslash");
        } else {
            findings.problem(origin, "", "is not TOML here: " + message);
        }
        return false;
    }
}
