package io.nixlkv.benchmarks;

import com.github.freva.asciitable.AsciiTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Cells with the same opponents, as people read them: one line for each, with two columns for each opponent.
 *
 * @param rows each as long as the header
 */
record Table(List<String> header, List<List<String>> rows) {
    private static final String NOTHING = "-";

    /** One table for every group of cells that have the same opponents, in the order in which they come. */
    static List<Table> of(List<Cell> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(Cell::opponents, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(group -> of(group.getKey(), group.getValue()))
                .toList();
    }

    private static Table of(List<String> opponents, List<Cell> cells) {
        List<String> header = new ArrayList<>(List.of("objects", "operation", "how", "subject"));
        for (String opponent : opponents) {
            header.add("MiB/s : " + opponent);
            header.add("ratio (quartiles; spread)");
        }
        header.addAll(List.of("target", "verdict"));
        return new Table(List.copyOf(header), cells.stream().map(Table::row).toList());
    }

    private static List<String> row(Cell cell) {
        List<String> row = new ArrayList<>();
        row.add(cell.setting().workload().label());
        row.add(cell.operation().label());
        row.add(cell.setting().mode().how());
        row.add(subject(cell));
        for (Comparison comparison : cell.comparisons()) {
            Comparison.Figures figures = comparison.figures();
            row.add(
                    figures == null
                            ? NOTHING
                            : throughputs(figures, cell.setting().workload()));
            row.add(figures == null ? NOTHING : ratio(figures));
        }
        row.add(cell.target().map(Target::text).orElse(NOTHING));
        row.add(verdict(cell));
        return row;
    }

    private static String subject(Cell cell) {
        return cell.comparisons().stream()
                .map(Comparison::figures)
                .flatMap(figures -> Optional.ofNullable(figures).stream())
                .map(figures -> figures.ours().name() + ", " + threads(figures.ours()))
                .findFirst()
                .orElse(cell.subject());
    }

    private static String throughputs(Comparison.Figures figures, Workload workload) {
        int bytes = workload.batchBytes();
        return number(
                "%.0f : %.0f %s, %s",
                mebibytes(bytes, figures.samples().leftMedianNanos()),
                mebibytes(bytes, figures.samples().rightMedianNanos()),
                figures.peer().name(),
                threads(figures.peer()));
    }

    private static String ratio(Comparison.Figures figures) {
        Distribution ratios = figures.samples().ratios();
        return number(
                "%.2f (%.2f to %.2f; %.0f %%)", ratios.median(), ratios.q1(), ratios.q3(), figures.spread() * 100);
    }

    private static String threads(Contender.Identity identity) {
        return identity.threads() == 1 ? "1 thread" : identity.threads() + " threads";
    }

    private static String verdict(Cell cell) {
        Map<String, String> failures = new LinkedHashMap<>();
        for (Comparison comparison : cell.comparisons()) {
            if (comparison.figures() == null) {
                failures.put(comparison.opponent(), comparison.failure());
            }
        }
        String verdict = cell.verdict().label();
        if (failures.isEmpty()) {
            return verdict;
        }
        String reasons = failures.values().stream().distinct().collect(Collectors.joining("; "));
        return cell.verdict() == Verdict.FAILED ? "failed: " + reasons : verdict + "; failed: " + reasons;
    }

    /** For a terminal. */
    String text() {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                header.toArray(String[]::new),
                null,
                rows.stream().map(row -> row.toArray(String[]::new)).toArray(String[][]::new));
    }

    /** For a page of the documentation. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        append(text, header);
        append(text, header.stream().map(column -> "---").toList());
        rows.forEach(row -> append(text, row));
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> cells) {
        text.append('|');
        for (String cell : cells) {
            text.append(' ').append(cell.replace("|", "\\|")).append(" |");
        }
        text.append('\n');
    }

    /** MiB in a second. */
    static double mebibytes(long bytes, double nanos) {
        return bytes / (double) (1 << 20) / (nanos / 1e9);
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
