package io.nixlkv.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of a run with the conditions they were measured under.
 *
 * @param notes who was left out, and why
 * @param complete whether everything was measured that was asked for
 */
record Report(Conditions conditions, List<Cell> cells, List<String> notes, boolean complete) {
    Report {
        cells = List.copyOf(cells);
        notes = List.copyOf(notes);
    }

    /** Whether everything was measured and no target was missed by a subject that is judged. */
    boolean passed() {
        return complete && cells.stream().allMatch(Cell::passed);
    }

    /** For a terminal. */
    String table() {
        return Table.of(cells).stream().map(Table::text).collect(Collectors.joining("\n\n")) + "\n" + end();
    }

    /** For a page of the documentation. */
    String markdown() {
        return Table.of(cells).stream().map(Table::markdown).collect(Collectors.joining("\n")) + "\n" + end();
    }

    private String end() {
        StringBuilder text = new StringBuilder();
        if (!complete) {
            text.append("stopped before everything was measured\n");
        }
        notes.forEach(note -> text.append(note).append('\n'));
        return text.append(conditions.line()).append('\n').toString();
    }
}
