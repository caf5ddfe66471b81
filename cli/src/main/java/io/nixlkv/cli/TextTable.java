package io.nixlkv.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import com.github.freva.asciitable.OverflowBehaviour;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table on standard output: left-aligned columns, long cells wrapped. Not thread-safe. */
final class TextTable {
    private static final int WIDEST_CELL = 60;

    private final Column[] columns;
    private final List<String[]> rows = new ArrayList<>();

    TextTable(String... headers) {
        columns = new Column[headers.length];
        for (int i = 0; i < headers.length; i++) {
            columns[i] = new Column()
                    .header(headers[i])
                    .headerAlign(HorizontalAlign.LEFT)
                    .dataAlign(HorizontalAlign.LEFT)
                    .maxWidth(WIDEST_CELL, OverflowBehaviour.NEWLINE);
        }
    }

    void row(String... cells) {
        rows.add(cells);
    }

    void print(PrintStream out) {
        String table = AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(columns, rows.toArray(new String[0][]))
                .asString();
        table.lines().map(String::stripTrailing).forEach(out::println);
    }
}
