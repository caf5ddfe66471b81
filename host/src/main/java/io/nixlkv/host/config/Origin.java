package io.nixlkv.host.config;

/**
 * Where a value comes from.
 *
 * @param source file name, {@code $VARIABLE}, {@code call} or {@code default}
 * @param line from 1; 0 if it has none
 * @param column from 1; 0 if it has none
 */
public record Origin(String source, int line, int column) {
    /** Given by the program or on the command line. */
    public static final Origin CALL = new Origin("call", 0, 0);

    /** Given by nobody. */
    public static final Origin DEFAULT = new Origin("default", 0, 0);

    /** The environment variable {@code name}. */
    public static Origin variable(String name) {
        return new Origin("$" + name, 0, 0);
    }

    @Override
    public String toString() {
        return line > 0 ? source + ":" + line + ":" + column : source;
    }
}
