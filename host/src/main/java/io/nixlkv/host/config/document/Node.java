package io.nixlkv.host.config.document;

import io.nixlkv.host.config.Origin;
import java.util.List;
import java.util.Optional;

/** A value of a document. Immutable. {@code toString} leaves texts out, since any of them may be secret. */
public sealed interface Node {
    /** Where it was written. */
    Origin origin();

    /**
     * A table, in the order of the file and without duplicates.
     *
     * @param entries its keys
     * @param origin where it begins
     */
    record Table(List<Entry> entries, Origin origin) implements Node {
        public Table {
            entries = List.copyOf(entries);
        }

        /** The entry under exactly that key. */
        public Optional<Entry> entry(String key) {
            return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
        }

        public boolean has(String key) {
            return entry(key).isPresent();
        }

        @Override
        public String toString() {
            return "table (" + origin + ")";
        }
    }

    /**
     * A list.
     *
     * @param items its values
     * @param origin where it begins
     */
    record Items(List<Node> items, Origin origin) implements Node {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return "list (" + origin + ")";
        }
    }

    /**
     * A single value.
     *
     * @param kind what it was written as
     * @param text its text, numbers without exponent; empty for NOTHING
     * @param origin where it was written
     */
    record Scalar(Kind kind, String text, Origin origin) implements Node {
        @Override
        public String toString() {
            return kind + " (" + origin + ")";
        }
    }

    /** What a single value was written as. */
    enum Kind {
        TEXT,
        BOOLEAN,
        NUMBER,
        DATE,
        /** JSON's and YAML's {@code null}. */
        NOTHING
    }

    /**
     * A key with its value.
     *
     * @param key without its table
     * @param value what it is set to
     * @param origin where the key was written
     */
    record Entry(String key, Node value, Origin origin) {
        @Override
        public String toString() {
            return key + " (" + origin + ")";
        }
    }
}
