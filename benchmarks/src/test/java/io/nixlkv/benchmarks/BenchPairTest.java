package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real child processes that print what a bench prints. */
class BenchPairTest {
    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() throws IOException {
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static String document(String store, String load, int success) {
        String metric = "{\"operation\":\"%s\",\"total_keys\":1280,\"total_success\":%d,\"throughput_avg_mbps\":%s}";
        return "{\"metrics\":{\"config\":{},\"op_0\":%s,\"op_1\":{\"operation\":\"Lookup\"},\"op_2\":%s}}"
                .formatted(metric.formatted("Store", success, store), metric.formatted("load", success, load));
    }

    /** @param script sees the folder as $1 and the output file as $2 */
    private static BenchProgram program(String name, String script) {
        return new BenchProgram(
                new Contender.Identity(name, "1", 4),
                (objects, output) -> List.of("bash", "-c", script, "bash", objects.toString(), output.toString()));
    }

    private static BenchProgram printing(String name, String document) {
        return program(name, "[ -z \"$(ls \"$1\")\" ] || exit 9; touch \"$1/object\"; echo '" + document + "'");
    }

    private List<Cell> run(BenchProgram ours, BenchProgram theirs) {
        Match.Rules rules = new Match.Rules(directory, 3, 10, 7, 5);
        Progress progress = new Progress(new PrintWriter(new StringWriter()), new Stop(), BenchPair.steps(rules));
        return new BenchPair(ours, theirs).run(rules, progress);
    }

    @Test
    void theirOwnThroughputsAreCompared() {
        List<Cell> cells = run(
                printing("ours", document("2000.0", "9000.0", 1280)),
                program("theirs", "echo '" + document("1000.0", "10000.0", 1280) + "' >\"$2\"; echo progress"));
        assertEquals(2, cells.size());
        Comparison.Figures store = cells.get(0).comparisons().get(0).figures();
        assertEquals(2.0, store.ratio(), 1e-6);
        assertEquals(0, store.spread(), 1e-6);
        assertEquals(32 / 1000.0, store.samples().rightMedianNanos() / 1e9, 1e-9);
        assertEquals(Verdict.MET, cells.get(0).verdict());
        assertEquals(Verdict.MISSED, cells.get(1).verdict());
        assertEquals(
                "≥ 1.2 lmcache bench l2 fs_native",
                cells.get(1).target().orElseThrow().text());
    }

    private void assertFails(String expected, BenchProgram theirs) {
        for (Cell cell : run(printing("ours", document("2", "9", 1280)), theirs)) {
            assertEquals(Verdict.FAILED, cell.verdict());
            assertNull(cell.comparisons().get(0).figures());
            String failure = cell.comparisons().get(0).failure();
            assertTrue(failure.startsWith(expected), failure);
        }
    }

    @Test
    void whatFailsIsAReasonAndNoFigure() {
        assertFails(
                "theirs ended with exit status 1: verification failed",
                program("theirs", "echo warning >&2; echo verification failed >&2; exit 1"));
        assertFails("theirs: store of 1 of 1280 objects failed", printing("theirs", document("2", "9", 1279)));
        assertFails("theirs does not say how fast", printing("theirs", document("2", "0", 1280)));
        assertFails("theirs: ", printing("theirs", "no document"));
    }
}
