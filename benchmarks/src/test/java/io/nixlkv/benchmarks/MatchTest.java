package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchTest {
    private static final Setting SETTING = new Setting(Workload.parse("32x1MiB"), IoMode.BUFFERED);

    @TempDir
    Path directory;

    private final List<FakeContender> opened = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final StringWriter said = new StringWriter();
    private final Stop stop = new Stop();
    private final List<Cell> results = new ArrayList<>();

    @AfterEach
    void everythingIsClosedAndNothingIsLeft() throws IOException {
        assertTrue(opened.stream().allMatch(FakeContender::closed));
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private Entrant entrant(String name, long nanos, long failingRound) {
        return new Entrant(name, (setting, folder) -> {
            FakeContender contender = new FakeContender(name, nanos, log, failingRound);
            opened.add(contender);
            return contender;
        });
    }

    private Entrant entrant(String name, long nanos) {
        return entrant(name, nanos, Long.MAX_VALUE);
    }

    private List<Cell> run(Entrant subject, Entrant... variants) {
        return run(List.of(subject), Map.of("nixl", List.of(variants)));
    }

    private List<Cell> run(List<Entrant> subjects, Map<String, List<Entrant>> opponents) {
        Match.Rules rules = new Match.Rules(directory, 21, 2, 3, 5);
        Progress progress = new Progress(new PrintWriter(said), stop, 3);
        new Match(rules, progress).run(subjects, opponents, SETTING, results::add);
        return results;
    }

    private static Comparison.Figures figures(Cell cell) {
        return cell.comparisons().get(0).figures();
    }

    @Test
    void theSubjectIsPairedWithTheBestVariant() {
        List<Cell> cells = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 50), entrant("nixl:b", 19));
        assertEquals(2, cells.size());
        for (Cell cell : cells) {
            assertEquals("nixl:b", figures(cell).peer().name());
            assertEquals(0.95, figures(cell).ratio(), 1e-9);
            assertEquals(0, figures(cell).spread());
            assertNull(cell.comparisons().get(0).failure());
            assertEquals(Verdict.MEASURED, cell.verdict());
        }
        assertEquals(Operation.STORE, cells.get(0).operation());
        assertEquals(Operation.LOAD, cells.get(1).operation());
    }

    @Test
    void everySubjectMeetsEveryOpponentAndATrialServesAllSubjects() {
        Map<String, List<Entrant>> opponents = new LinkedHashMap<>();
        opponents.put("nixl", List.of(entrant("nixl:a", 10)));
        opponents.put("syscalls", List.of(entrant("syscalls:1", 40), entrant("syscalls:2", 5)));
        List<Cell> cells = run(List.of(entrant("nixlkv:auto", 10), entrant("nixlkv:nio", 20)), opponents);
        assertEquals(4, cells.size());
        assertEquals(List.of("nixl", "syscalls"), cells.get(0).opponents());
        assertEquals(Operation.STORE, cells.get(1).operation());
        assertEquals("nixlkv:nio", cells.get(3).subject());
        assertEquals(0.25, cells.get(3).comparisons().get(1).figures().ratio(), 1e-9);
        assertEquals(
                1,
                opened.stream()
                        .filter(one -> one.identity().name().equals("syscalls:1"))
                        .count());
        assertTrue(said.toString().startsWith("[1 of 3] 32x1MiB buffered: the best of nixl"), said.toString());
    }

    @Test
    void everyContenderIsVerifiedBeforeItIsMeasured() {
        run(entrant("nixlkv:auto", 20), entrant("nixl:a", 50));
        assertEquals(1, log.stream().filter("verify nixlkv:auto"::equals).count());
        assertEquals(3, log.stream().filter("verify nixl:a"::equals).count());
    }

    @Test
    void aVariantThatFailsIsLeftBehindWithItsReason() {
        List<Cell> cells = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 5, 2), entrant("nixl:b", 20));
        Trial.Entry failed = cells.get(0).comparisons().get(0).trial().entries().get(0);
        assertEquals("nixl:a is full", failed.failure());
        assertTrue(failed.medianNanos().isEmpty());
        assertEquals("nixl:b", figures(cells.get(0)).peer().name());
    }

    @Test
    void aSubjectThatFailsHasAReasonAndNoFigure() {
        for (Cell cell : run(entrant("nixlkv:auto", 20, 9), entrant("nixl:a", 20))) {
            assertEquals(Verdict.FAILED, cell.verdict());
            assertEquals("nixlkv:auto is full", cell.comparisons().get(0).failure());
            assertNull(figures(cell));
        }
    }

    @Test
    void aRunThatIsStoppedKeepsWhatWasMeasured() {
        Entrant stopping = new Entrant("nixlkv:nio", (setting, folder) -> {
            stop.ask();
            return entrant("nixlkv:nio", 20).opener().open(setting, folder);
        });
        assertThrows(
                Stop.StoppedException.class,
                () -> run(
                        List.of(entrant("nixlkv:auto", 10), stopping, entrant("nixlkv:aio", 10)),
                        Map.of("nixl", List.of(entrant("nixl:a", 20)))));
        assertEquals(
                List.of("nixlkv:auto", "nixlkv:auto"),
                results.stream().map(Cell::subject).toList());
        assertEquals(2, figures(results.get(1)).ratio());
    }

    @Test
    void aSideThatEndsTogetherWithTheRunDidNotFail() {
        Entrant ended = new Entrant("nixlkv:nio", (setting, folder) -> {
            stop.ask();
            throw new ContenderException("ended by the same signal");
        });
        assertThrows(Stop.StoppedException.class, () -> run(ended, entrant("nixl:a", 20)));
        assertEquals(List.of(), results);
    }

    @Test
    void anOpponentWithoutAWorkingVariantHasAllReasonsAndNoFigure() {
        List<Cell> cells = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 5, 0), entrant("nixl:b", 5, 2));
        assertEquals(
                "nixl:a is full; nixl:b is full",
                cells.get(0).comparisons().get(0).failure());
        assertNull(figures(cells.get(1)));
    }
}
