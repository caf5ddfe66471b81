package io.nixlkv.host.config;

import io.nixlkv.host.config.document.Node;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A value as it was written, not yet checked. {@code toString} leaves the text out, since whether it is secret is not known yet.
 *
 * @param key without its table
 * @param shape what it was written as
 * @param text its text; of a list the items separated by commas; empty for shapes that have none
 * @param origin where it was written
 */
public record RawValue(String key, Shape shape, String text, Origin origin) {

    /** What a value was written as. */
    public enum Shape {
        /** A string. */
        TEXT("a text"),
        /** {@code true} or {@code false} without quotes. */
        BOOLEAN("a boolean"),
        /** A whole or decimal number without quotes. */
        NUMBER("a number"),
        /** A list of texts. */
        LIST("a list"),
        /** A list that holds something other than texts without commas. */
        ODD_LIST("a list of other things than texts without commas"),
        /** A table. */
        TABLE("a table"),
        /** A date or a time. */
        DATE("a date or time");

        private final String words;

        Shape(String words) {
            this.words = words;
        }

        /** For sentences, with its article. */
        public String words() {
            return words;
        }
    }

    /** The value of {@code entry} under another key; its place is that of the key. */
    static RawValue of(String key, Node.Entry entry) {
        if (entry.value() instanceof Node.Scalar scalar) {
            return new RawValue(key, shape(scalar.kind()), scalar.text(), entry.origin());
        } else if (entry.value() instanceof Node.Items list) {
            return list(key, list.items(), entry.origin());
        }
        return new RawValue(key, Shape.TABLE, "", entry.origin());
    }

    private static Shape shape(Node.Kind kind) {
        return switch (kind) {
            case TEXT, NOTHING -> Shape.TEXT;
            case BOOLEAN -> Shape.BOOLEAN;
            case NUMBER -> Shape.NUMBER;
            case DATE -> Shape.DATE;
        };
    }

    private static RawValue list(String key, List<Node> items, Origin origin) {
        boolean plainTexts = items.stream()
                .allMatch(item -> item instanceof Node.Scalar scalar
                        && scalar.kind() == Node.Kind.TEXT
                        && !scalar.text().contains(",")
                        && !scalar.text().isBlank());
        if (!plainTexts) {
            return new RawValue(key, Shape.ODD_LIST, "", origin);
        }
        String joined = items.stream().map(item -> ((Node.Scalar) item).text()).collect(Collectors.joining(","));
        return new RawValue(key, Shape.LIST, joined, origin);
    }

    /** Whether it counts as given: an empty text does not. */
    boolean given() {
        return shape != Shape.TEXT || !text.isEmpty();
    }

    @Override
    public String toString() {
        return key + " (" + shape.words() + ", " + origin + ")";
    }
}
