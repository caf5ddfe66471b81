package io.nixlkv.host.config.document;

import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Origin;
import io.nixlkv.host.config.document.Node.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads TOML 1.0. The parser goes on after a mistake, so several can be told at once. */
final class TomlDocument {
    private static final Pattern DEFINED_TWICE = Pattern.compile("(\\S+) previously defined at line (\\d+).*");
    private static final Pattern EXPECTED = Pattern.compile("Unexpected .*, expected (.*)", Pattern.DOTALL);

    private final String source;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Set<Integer> brokenHeaders = new HashSet<>();

    private TomlDocument(String source) {
        this.source = source;
    }

    static Document read(String text, String source) {
        return new TomlDocument(source).read(text);
    }

    private Document read(String text) {
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
        return new Document(source, table(result, new Origin(source, 1, 1)), problems, complete);
    }

    private Node.Table table(TomlTable table, Origin begin) {
        List<Node.Entry> entries = new ArrayList<>();
        for (String key : table.keySet()) {
            Origin origin = origin(table.inputPositionOf(List.of(key)));
            Node value = value(table.get(List.of(key)), origin);
            boolean holdsSomething =
                    value instanceof Node.Table inner && !inner.entries().isEmpty();
            if (holdsSomething || !isMisplaced(origin)) {
                entries.add(new Node.Entry(key, value, origin));
            }
        }
        return new Node.Table(entries, begin);
    }

    private Node value(Object value, Origin origin) {
        if (value instanceof String text) {
            return new Node.Scalar(Kind.TEXT, text, origin);
        } else if (value instanceof Boolean flag) {
            return new Node.Scalar(Kind.BOOLEAN, flag.toString(), origin);
        } else if (value instanceof Long number) {
            return new Node.Scalar(Kind.NUMBER, number.toString(), origin);
        } else if (value instanceof Double number) {
            return new Node.Scalar(Kind.NUMBER, PlainNumber.of(number), origin);
        } else if (value instanceof TomlTable inner) {
            return table(inner, origin);
        } else if (value instanceof TomlArray list) {
            List<Node> items = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                items.add(value(list.get(i), origin(list.inputPositionOf(i))));
            }
            return new Node.Items(items, origin);
        }
        return new Node.Scalar(Kind.DATE, "", origin);
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
        return line > 0 && line <= lines.size() && lines.get(line - 1).startsWith("[");
    }

    private Origin origin(TomlPosition position) {
        return position == null ? new Origin(source, 0, 0) : new Origin(source, position.line(), position.column());
    }

    /**
     * Words the parser's message anew, without what it found: that may be part of a secret. Returns whether it is about something
     * defined twice.
     */
    private boolean syntaxProblem(TomlParseError error) {
        Origin origin = origin(error.position());
        String message = error.getMessage();
        Matcher twice = DEFINED_TWICE.matcher(message);
        if (twice.matches()) {
            problem(origin, twice.group(1), "is defined twice, first in line " + twice.group(2) + "; keep one of them");
            return true;
        }
        Matcher expected = EXPECTED.matcher(message);
        if (expected.matches()) {
            problem(origin, "", "is not TOML here; expected " + expected.group(1));
        } else if (message.startsWith("Invalid escape sequence")) {
            problem(origin, "", "has an escape sequence that TOML does not know; write \\\\ for a backslash");
        } else {
            problem(origin, "", "is not TOML here: " + message);
        }
        return false;
    }

    private void problem(Origin origin, String key, String sentence) {
        problems.add(TableBuilder.problem(origin, key, sentence));
    }
}
