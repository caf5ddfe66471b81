package io.nixlkv.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A report as a picture (SVG): for each batch and operation the ratios of every subject to every opponent as bars, with quartiles
 * as whiskers, and a line at 1, where both are equally fast. A bar of an inconclusive pairing is pale.
 */
final class Chart {
    private static final int LEFT = 190;
    private static final int WIDTH = 560;
    private static final int BAR = 12;
    private static final int GAP = 4;
    private static final int TITLE = 30;
    private static final int MARGIN = 20;
    /** Characters of a line of conditions. */
    private static final int LINE = 120;

    private static final double LEAST_SCALE = 2;
    /** How far beyond the longest bar a whisker may go before it is cut. */
    private static final double ROOM_FOR_WHISKERS = 1.4;

    private static final List<String> COLOURS = List.of("#2a6f97", "#e07a1f", "#4c956c", "#8d5a97", "#b23a48");

    private final Report report;
    private final List<String> opponents;
    private final double scale;
    private final StringBuilder body = new StringBuilder();
    private int y = MARGIN;

    private Chart(Report report) {
        this.report = report;
        opponents = report.cells().stream()
                .flatMap(cell -> cell.opponents().stream())
                .distinct()
                .toList();
        scale = report.cells().stream()
                .flatMap(cell -> cell.comparisons().stream())
                .filter(comparison -> comparison.figures() != null)
                .mapToDouble(comparison -> comparison.figures().ratio() * ROOM_FOR_WHISKERS)
                .reduce(LEAST_SCALE, Math::max);
    }

    /** The whole document. */
    static String svg(Report report) {
        return new Chart(report).draw();
    }

    private String draw() {
        legend();
        Map<String, List<Cell>> groups = report.cells().stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.setting().workload().label() + " "
                                + cell.operation().label() + ", "
                                + cell.setting().mode().how(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        groups.forEach(this::group);
        for (String line : wrapped(report.conditions().line())) {
            text(MARGIN, y, "start", 10, "#555", line);
            y += BAR + 2;
        }
        int width = LEFT + WIDTH + 4 * MARGIN;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                                + " font-family=\"sans-serif\">%n<rect width=\"100%%\" height=\"100%%\""
                                + " fill=\"white\"/>%n",
                        width,
                        y + MARGIN,
                        width,
                        y + MARGIN)
                + body + "</svg>\n";
    }

    private void legend() {
        text(MARGIN, y, "start", 12, "#000", "times as fast as");
        int x = LEFT;
        for (String opponent : opponents) {
            rectangle(x, y - BAR + 2, BAR, BAR, colour(opponent), 1);
            text(x + BAR + GAP, y, "start", 12, "#000", opponent);
            x += BAR + 3 * GAP + 8 * opponent.length();
        }
        text(x, y, "start", 10, "#555", "pale, with ?: inconclusive; thin line: quartiles");
        y += TITLE;
    }

    private void group(String title, List<Cell> cells) {
        text(MARGIN, y, "start", 13, "#000", title);
        y += GAP * 2;
        int top = y;
        for (Cell cell : cells) {
            int middle = y + cell.comparisons().size() * (BAR + 1) / 2 + GAP;
            text(LEFT - 2 * GAP, middle, "end", 11, "#000", cell.subject());
            cell.comparisons().forEach(this::bar);
            y += GAP;
        }
        line(at(1), top, at(1), y, "#000");
        text(at(1), y + BAR, "middle", 10, "#000", "1");
        y += TITLE;
    }

    private void bar(Comparison comparison) {
        if (comparison.figures() == null) {
            text(LEFT + GAP, y + BAR - 2, "start", 10, "#b23a48", "failed");
        } else {
            Distribution ratios = comparison.figures().samples().ratios();
            boolean pale = comparison.soundness() == Verdict.INCONCLUSIVE;
            rectangle(LEFT, y, at(ratios.median()) - LEFT, BAR, colour(comparison.opponent()), pale ? 0.35 : 1);
            line(at(ratios.q1()), y + BAR / 2, at(ratios.q3()), y + BAR / 2, "#000");
            String figure = String.format(Locale.ROOT, "%.2f%s", ratios.median(), pale ? " ?" : "");
            text(at(Math.max(ratios.q3(), ratios.median())) + GAP, y + BAR - 2, "start", 10, "#000", figure);
        }
        y += BAR + 1;
    }

    private int at(double ratio) {
        return LEFT + (int) Math.round(WIDTH * Math.min(ratio, scale) / scale);
    }

    private String colour(String opponent) {
        return COLOURS.get(opponents.indexOf(opponent) % COLOURS.size());
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String part : text.split(" · ")) {
            if (!line.isEmpty() && line.length() + part.length() > LINE) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " · ").append(part);
        }
        lines.add(line.toString());
        return lines;
    }

    private void rectangle(int x, int top, int width, int height, String colour, double opacity) {
        body.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" fill-opacity=\"%.2f\"/>%n",
                x,
                top,
                width,
                height,
                colour,
                opacity));
    }

    private void line(int x1, int y1, int x2, int y2, String colour) {
        body.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour));
    }

    private void text(int x, int baseline, String anchor, int size, String colour, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>%n",
                x,
                baseline,
                anchor,
                size,
                colour,
                text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}
