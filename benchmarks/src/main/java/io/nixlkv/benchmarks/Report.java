package io.nixlkv.benchmarks;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.freva.asciitable.AsciiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The results of a run with the conditions they were measured under, in the forms they are wanted in. */
record Report(Conditions conditions, List<Result> results) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    Report {
        results = List.copyOf(results);
    }

    /** Whether everything was measured and no target was missed. */
    boolean passed() {
        return results.stream()
                .noneMatch(result -> result.verdict() == Verdict.FAILED || result.verdict() == Verdict.MISSED);
    }

    /** For a terminal. */
    String table() {
        String[][] rows = results.stream()
                .map(result -> Row.of(result).toArray(String[]::new))
                .toArray(String[][]::new);
        return AsciiTable.getTable(Row.HEADER.toArray(String[]::new), rows) + "\n" + conditionsLine() + "\n";
    }

    /** For a page of the documentation. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        appendRow(text, Row.HEADER);
        appendRow(text, Row.HEADER.stream().map(column -> "---").toList());
        results.forEach(result -> appendRow(text, Row.of(result)));
        return text.append('\n').append(conditionsLine()).append('\n').toString();
    }

    private static void appendRow(StringBuilder text, List<String> cells) {
        text.append('|');
        for (String cell : cells) {
            text.append(' ').append(cell.replace("|", "\\|")).append(" |");
        }
        text.append('\n');
    }

    private String conditionsLine() {
        StringBuilder text = new StringBuilder();
        conditions
                .values()
                .forEach((name, value) -> text.append(text.isEmpty() ? "" : " · ")
                        .append(name)
                        .append(": ")
                        .append(value));
        return text.toString();
    }

    /** Writes one JSON document, every single time included. */
    void writeJson(Path file) throws IOException {
        ObjectNode document = JSON.createObjectNode();
        document.put("title", "nixlkv compare");
        ObjectNode circumstances = document.putObject("conditions");
        conditions.values().forEach(circumstances::put);
        ArrayNode all = document.putArray("results");
        results.forEach(result -> describe(result, all.addObject()));
        Files.write(file, JSON.writeValueAsBytes(document));
    }

    private static void describe(Result result, ObjectNode node) {
        Workload workload = result.setting().workload();
        node.put("objects", workload.objects())
                .put("object_bytes", workload.bytes())
                .put("operation", result.operation().label())
                .put("mode", result.setting().mode().label())
                .put("sync", false)
                .put("cache", "warm")
                .put("verdict", result.verdict().label())
                .put("subject", result.subject().name())
                .put("opponent", result.opponent());
        result.target().ifPresent(target -> node.put("target", target));
        ArrayNode trial = node.putArray("trial");
        for (Trial.Entry entry : result.trial().entries()) {
            ObjectNode variant =
                    trial.addObject().put("opponent", entry.entrant().name());
            if (entry.failure() == null) {
                double nanos = entry.medianNanos().get(result.operation());
                variant.put("throughput_p50_mbps", Row.mebibytes(workload.batchBytes(), nanos));
            } else {
                variant.put("failed", entry.failure());
            }
        }
        if (result.figures() == null) {
            node.put("failed", result.failure());
            return;
        }
        Result.Figures figures = result.figures();
        distribution(node.putObject("ratio"), figures.samples().ratios());
        distribution(
                node.putObject("opponent_with_itself"), figures.peerWithItself().ratios());
        side(
                node.putObject("subject_figures"),
                figures.ours(),
                workload,
                figures.samples().left());
        side(
                node.putObject("opponent_figures"),
                figures.peer(),
                workload,
                figures.samples().right());
    }

    private static void distribution(ObjectNode node, Distribution distribution) {
        node.put("median", distribution.median())
                .put("q1", distribution.q1())
                .put("q3", distribution.q3())
                .put("spread", distribution.spread());
    }

    private static void side(ObjectNode node, Contender.Identity identity, Workload workload, long[] times) {
        node.put("name", identity.name())
                .put("version", identity.version())
                .put("threads", identity.threads())
                .put("throughput_p50_mbps", Row.mebibytes(workload.batchBytes(), Samples.median(times)));
        ArrayNode nanos = node.putArray("nanos");
        for (long time : times) {
            nanos.add(time);
        }
    }
}
