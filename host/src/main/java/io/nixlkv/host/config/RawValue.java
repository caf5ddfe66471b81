package io.nixlkv.host.config;

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

    /** Whether it counts as given: an empty text does not. */
    boolean given() {
        return shape != Shape.TEXT || !text.isEmpty();
    }

    @Override
    public String toString() {
        return key + " (" + shape.words() + ", " + origin + ")";
    }
}
