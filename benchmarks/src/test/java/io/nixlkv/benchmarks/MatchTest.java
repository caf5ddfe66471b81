package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private List<Result> run(Entrant subject, Entrant... variants) {
        Match.Rules rules = new Match.Rules(directory, 21, 2, 3, 5, Targets.parse(Targets.DEFAULT));
        return new Match(rules).run(subject, List.of(variants), SETTING);
    }

    @Test
    void theSubjectIsPairedWithTheBestVariant() {
        List<Result> results = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 50), entrant("nixl:b", 19));
        assertEquals(2, results.size());
        for (Result result : results) {
            assertEquals("nixl:b", result.figures().peer().name());
            assertEquals(0.95, result.figures().samples().ratios().median(), 1e-9);
            assertEquals(0, result.figures().peerWithItself().ratios().spread());
            assertEquals(Verdict.MET, result.verdict());
            assertNull(result.failure());
        }
        assertEquals(Operation.STORE, results.get(0).operation());
        assertEquals(0.9, results.get(0).target().orElseThrow());
        assertEquals(1.0, results.get(1).target().orElseThrow());
    }

    @Test
    void everyContenderIsVerifiedBeforeItIsMeasured() {
        run(entrant("nixlkv:auto", 20), entrant("nixl:a", 50));
        assertEquals(1, log.stream().filter("verify nixlkv:auto"::equals).count());
        assertEquals(3, log.stream().filter("verify nixl:a"::equals).count());
    }

    @Test
    void aVariantThatFailsIsLeftBehindWithItsReason() {
        List<Result> results = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 5, 2), entrant("nixl:b", 20));
        Trial.Entry failed = results.get(0).trial().entries().get(0);
        assertEquals("nixl:a is full", failed.failure());
        assertTrue(failed.medianNanos().isEmpty());
        assertEquals("nixl:b", results.get(0).figures().peer().name());
    }

    @Test
    void aSubjectThatFailsHasAReasonAndNoFigure() {
        for (Result result : run(entrant("nixlkv:auto", 20, 9), entrant("nixl:a", 20))) {
            assertEquals(Verdict.FAILED, result.verdict());
            assertEquals("nixlkv:auto is full", result.failure());
            assertNull(result.figures());
        }
    }

    @Test
    void anOpponentWithoutAWorkingVariantHasAllReasonsAndNoFigure() {
        List<Result> results = run(entrant("nixlkv:auto", 20), entrant("nixl:a", 5, 0), entrant("nixl:b", 5, 2));
        assertEquals("nixl:a is full; nixl:b is full", results.get(0).failure());
        assertNull(results.get(1).figures());
    }
}
