package io.nixlkv.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Long texts of a table's cells, each told once below it. Not thread-safe. */
final class Notes {
    private static final int SHORT = 24;

    private final List<String> texts = new ArrayList<>();

    /** What stands in the cell: the text itself if it is short, else its number. */
    String cell(String start, String text) {
        if (text.length() <= SHORT) {
            return start + ": " + text;
        }
        int at = texts.indexOf(text);
        if (at < 0) {
            texts.add(text);
            at = texts.size() - 1;
        }
        return start + " [" + (at + 1) + "]";
    }

    void print(PrintStream out) {
        if (!texts.isEmpty()) {
            out.println();
        }
        for (int i = 0; i < texts.size(); i++) {
            out.println("[" + (i + 1) + "] " + texts.get(i));
        }
    }
}
