package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path directory;

    private Report report(long nanos, long failingRound) {
        Match.Rules rules = new Match.Rules(directory, 21, 1, 1, 5, Targets.parse(Targets.DEFAULT));
        Entrant ours = new Entrant(
                "nixlkv:auto",
                (setting, folder) -> new FakeContender("nixlkv:auto", nanos, new ArrayList<>(), failingRound));
        Entrant peer = new Entrant(
                "nixl:use_aio", (setting, folder) -> new FakeContender("nixl:use_aio", 4_000_000, new ArrayList<>()));
        List<Result> results =
                new Match(rules).run(ours, List.of(peer), new Setting(Workload.parse("32x1MiB"), IoMode.BUFFERED));
        return new Report(Conditions.of(rules, IoMode.BUFFERED, results), results);
    }

    @Test
    void saysHowFastAndUnderWhichConditions() throws IOException {
        Report report = report(2_000_000, Long.MAX_VALUE);
        assertTrue(report.passed());
        Path file = directory.resolve("out.json");
        report.writeJson(file);
        JsonNode document = new JsonMapper().readTree(file.toFile());
        JsonNode conditions = document.get("conditions");
        for (String name :
                List.of("nixl", "file_system", "direct_io", "sync", "cache", "cpus_allowed", "kernel", "jdk", "seed")) {
            assertFalse(conditions.path(name).asText().isBlank(), name);
        }
        assertEquals("9", conditions.get("nixl").asText());
        assertTrue(conditions.get("file_system").asText().matches("\\S+ on .+"));
        JsonNode load = document.get("results").get(1);
        assertEquals("load", load.get("operation").asText());
        assertEquals("buffered", load.get("mode").asText());
        assertEquals("met", load.get("verdict").asText());
        assertEquals(2.0, load.get("ratio").get("median").asDouble());
        assertEquals(
                16_000, load.get("subject_figures").get("throughput_p50_mbps").asDouble(), 1e-6);
        assertEquals(
                8_000, load.get("opponent_figures").get("throughput_p50_mbps").asDouble(), 1e-6);
        assertEquals(21, load.get("opponent_figures").get("nanos").size());
        assertTrue(report.table().contains("2.00 (2.00 to 2.00)"), report.table());
        assertTrue(
                report.markdown().contains("| 32x1MiB | load | buffered, sync off, warm | nixlkv:auto | 1 | 16000 |"));
    }

    @Test
    void aFailureIsAReasonAndNeverAFigure() throws IOException {
        Report report = report(2_000_000, 5);
        assertFalse(report.passed());
        assertTrue(report.table().contains("failed: nixlkv:auto is full"), report.table());
        Path file = directory.resolve("out.json");
        report.writeJson(file);
        JsonNode load = new JsonMapper().readTree(file.toFile()).get("results").get(1);
        assertEquals("nixlkv:auto is full", load.get("failed").asText());
        assertFalse(load.has("ratio") || load.has("subject_figures") || load.has("opponent_figures"));
    }

    @Test
    void aMissedTargetDoesNotPass() {
        assertFalse(report(5_000_000, Long.MAX_VALUE).passed());
    }
}
