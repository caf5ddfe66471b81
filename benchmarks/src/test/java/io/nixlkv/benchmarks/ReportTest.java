package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Target LOAD = Target.ofFiles(IoMode.BUFFERED, Operation.LOAD);

    @TempDir
    Path directory;

    private Report report(Cell... cells) {
        return report(true, cells);
    }

    private Report report(boolean complete, Cell... cells) {
        Match.Rules rules = new Match.Rules(directory, 21, 10, 7, 5);
        List<Cell> all = List.of(cells);
        return new Report(
                Conditions.of(rules, Conditions.files(directory, IoMode.BUFFERED), all),
                all,
                List.of("nixlkv:uring is left out: refused by the kernel"),
                complete);
    }

    private JsonNode json(Report report) throws IOException {
        Path file = directory.resolve("out.json");
        JsonReport.write(report, file);
        return new JsonMapper().readTree(file.toFile());
    }

    @Test
    void saysHowFastAndUnderWhichConditions() throws IOException {
        Report report = report(Cells.cell(
                Operation.LOAD, LOAD, Cells.comparison("nixl", 2, 0.1), Cells.comparison("syscalls", 0.8, 0.3)));
        assertTrue(report.passed());
        JsonNode document = json(report);
        JsonNode conditions = document.get("conditions");
        for (String name :
                List.of("nixl", "file_system", "direct_io", "sync", "cache", "cpus_allowed", "kernel", "jdk", "seed")) {
            assertFalse(conditions.path(name).asText().isBlank(), name);
        }
        assertEquals("9", conditions.get("nixl").asText());
        assertTrue(conditions.get("file_system").asText().matches("\\S+ on .+"));
        assertEquals(
                "nixlkv:uring is left out: refused by the kernel",
                document.get("notes").get(0).asText());
        JsonNode load = document.get("results").get(0);
        assertEquals("load", load.get("operation").asText());
        assertEquals("buffered", load.get("mode").asText());
        assertEquals("met", load.get("verdict").asText());
        assertEquals(
                "≥ 1.3 nixl or 0.9 syscalls", load.get("target").get("text").asText());
        JsonNode nixl = load.get("against").get(0);
        assertEquals(2.0, nixl.get("ratio").get("median").asDouble());
        assertEquals(
                16_000, nixl.get("subject_figures").get("throughput_p50_mbps").asDouble(), 1e-6);
        assertEquals(
                8_000, nixl.get("opponent_figures").get("throughput_p50_mbps").asDouble(), 1e-6);
        assertEquals(21, nixl.get("opponent_figures").get("nanos").size());
        assertEquals("syscalls", load.get("against").get(1).get("opponent").asText());
    }

    @Test
    void aReportOfARunThatWasStoppedSaysSoAndDoesNotPass() throws IOException {
        Report report = report(false, Cells.cell(Operation.LOAD, null, Cells.comparison("nixl", 2, 0.1)));
        assertFalse(report.passed());
        assertTrue(report.table().contains("\nstopped before everything was measured\n"), report.table());
        assertFalse(json(report).get("complete").asBoolean(true));
        assertTrue(json(report(Cells.cell(Operation.LOAD, null, Cells.comparison("nixl", 2, 0.1))))
                .get("complete")
                .asBoolean());
    }

    @Test
    void aTableHasOneLineForACellAndTwoColumnsForAnOpponent() {
        Report report = report(
                Cells.cell(
                        Operation.LOAD, LOAD, Cells.comparison("nixl", 2, 0.1), Cells.comparison("syscalls", 0.8, 0.3)),
                Cells.cell(Operation.STORE, null, Cells.comparison("lmcache:fs_native", 1.5, 0.1)));
        assertEquals(2, Table.of(report.cells()).size());
        assertTrue(
                report.markdown()
                        .contains("| 32x1MiB | load | buffered, sync off, warm | nixlkv:auto (threads), 4 threads |"
                                + " 16000 : 8000 nixl:best, 1 thread | 2.00 (2.00 to 2.00; 10 %) |"
                                + " 6400 : 8000 syscalls:best, 1 thread | 0.80 (0.80 to 0.80; 30 %) |"
                                + " ≥ 1.3 nixl or 0.9 syscalls | met |"),
                report.markdown());
        assertTrue(report.markdown().contains("| MiB/s : lmcache:fs_native |"), report.markdown());
        assertTrue(report.table().contains("nixlkv:uring is left out: refused by the kernel"), report.table());
    }

    @Test
    void aFailureIsAReasonAndNeverAFigure() throws IOException {
        Report report = report(Cells.cell(
                Operation.STORE,
                Target.ofFiles(IoMode.BUFFERED, Operation.STORE),
                Cells.failed("nixl", "nixlkv:auto is full"),
                Cells.failed("syscalls", "nixlkv:auto is full")));
        assertFalse(report.passed());
        assertTrue(report.table().contains("failed: nixlkv:auto is full"), report.table());
        JsonNode nixl = json(report).get("results").get(0).get("against").get(0);
        assertEquals("nixlkv:auto is full", nixl.get("failed").asText());
        assertFalse(nixl.has("ratio") || nixl.has("subject_figures") || nixl.has("opponent_figures"));
    }

    @Test
    void aMissedTargetDoesNotPassUnlessTheSubjectIsNotJudged() {
        Cell missed = Cells.cell(
                Operation.LOAD, LOAD, Cells.comparison("nixl", 0.5, 0), Cells.comparison("syscalls", 0.5, 0));
        assertFalse(report(missed).passed());
        Cell other = new Cell(
                missed.setting(), missed.operation(), "nixlkv:nio", missed.comparisons(), Optional.of(LOAD), false);
        assertEquals(Verdict.MISSED, other.verdict());
        assertTrue(report(other).passed());
    }
}
