package io.nixlkv.benchmarks;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A report as one JSON document, every single time included. */
final class JsonReport {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonReport() {}

    static void write(Report report, Path file) throws IOException {
        ObjectNode document = JSON.createObjectNode();
        document.put("title", "nixlkv compare")
                .put("complete", report.complete())
                .put("passed", report.passed());
        ObjectNode circumstances = document.putObject("conditions");
        report.conditions().values().forEach(circumstances::put);
        ArrayNode notes = document.putArray("notes");
        report.notes().forEach(notes::add);
        ArrayNode results = document.putArray("results");
        report.cells().forEach(cell -> describe(cell, results.addObject()));
        Files.write(file, JSON.writeValueAsBytes(document));
    }

    private static void describe(Cell cell, ObjectNode node) {
        Workload workload = cell.setting().workload();
        node.put("objects", workload.objects())
                .put("object_bytes", workload.bytes())
                .put("operation", cell.operation().label())
                .put("mode", cell.setting().mode().label())
                .put("how", cell.setting().mode().how())
                .put("subject", cell.subject())
                .put("judged", cell.judged())
                .put("verdict", cell.verdict().label());
        cell.target().ifPresent(target -> describe(target, node.putObject("target")));
        ArrayNode comparisons = node.putArray("against");
        cell.comparisons().forEach(comparison -> describe(cell, comparison, comparisons.addObject()));
    }

    private static void describe(Target target, ObjectNode node) {
        node.put("text", target.text()).put("all", target.all());
        ObjectNode ratios = node.putObject("ratios");
        target.ratios().forEach(ratios::put);
    }

    private static void describe(Cell cell, Comparison comparison, ObjectNode node) {
        Workload workload = cell.setting().workload();
        node.put("opponent", comparison.opponent());
        ArrayNode trial = node.putArray("trial");
        for (Trial.Entry entry : comparison.trial().entries()) {
            ObjectNode variant = trial.addObject().put("name", entry.entrant().name());
            if (entry.failure() == null) {
                double nanos = entry.medianNanos().get(cell.operation());
                variant.put("throughput_p50_mbps", Table.mebibytes(workload.batchBytes(), nanos));
            } else {
                variant.put("failed", entry.failure());
            }
        }
        Comparison.Figures figures = comparison.figures();
        if (figures == null) {
            node.put("failed", comparison.failure());
            return;
        }
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
                .put("throughput_p50_mbps", Table.mebibytes(workload.batchBytes(), Samples.median(times)));
        ArrayNode nanos = node.putArray("nanos");
        for (long time : times) {
            nanos.add(time);
        }
    }
}
