package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePlanTest {
    @TempDir
    Path directory;

    private static Entrant entrant(String name, long nanos) {
        return new Entrant(name, (setting, folder) -> new FakeContender(name, nanos, new ArrayList<>()));
    }

    private static FilePlan plan(Entrant... subjects) {
        Map<String, List<Entrant>> opponents = new LinkedHashMap<>();
        opponents.put("nixl", List.of(entrant("nixl:a", 10)));
        opponents.put("syscalls", List.of(entrant("syscalls:1", 10), entrant("syscalls:2", 12)));
        return new FilePlan(
                List.of(Cells.SETTING, new Setting(Workload.parse("4x4KiB"), IoMode.DIRECT)),
                List.of(subjects),
                opponents);
    }

    @Test
    void engineAutoAnswersForAllAndEveryEngineHasATarget() {
        FilePlan plan = plan(entrant("nixlkv:auto", 5), entrant("nixlkv:nio", 50));
        Match.Rules rules = new Match.Rules(directory, 21, 1, 1, 5);
        StringWriter said = new StringWriter();
        List<Cell> cells = new ArrayList<>();
        plan.run(new Match(rules, new Progress(new PrintWriter(said), new Stop(), plan.steps())), cells::add);
        assertEquals(8, cells.size());
        for (Cell cell : cells) {
            boolean auto = cell.subject().equals("nixlkv:auto");
            assertEquals(auto, cell.judged());
            assertEquals(auto ? Verdict.MET : Verdict.MISSED, cell.verdict());
            assertEquals(
                    Target.ofFiles(cell.setting().mode(), cell.operation()),
                    cell.target().orElseThrow());
            assertTrue(cell.passed());
        }
        assertEquals(plan.steps(), said.toString().lines().count());
    }

    @Test
    void withoutAutoEveryEngineIsJudgedAndPeersNever() {
        FilePlan plan = plan(entrant("nixlkv:nio", 50), entrant("syscalls:4", 50));
        Match match = new Match(
                new Match.Rules(directory, 21, 0, 1, 5),
                new Progress(new PrintWriter(new StringWriter()), new Stop(), 99));
        List<Cell> cells = new ArrayList<>();
        plan.run(match, cells::add);
        assertTrue(cells.get(0).judged() && !cells.get(0).passed());
        assertTrue(cells.get(1).target().isEmpty());
        assertEquals(Verdict.MEASURED, cells.get(1).verdict());
    }

    @Test
    void theExpectedDurationGrowsWithEverythingThatIsMeasured() {
        Match.Rules few = new Match.Rules(directory, 21, 10, 7, 5);
        Match.Rules many = new Match.Rules(directory, 42, 10, 7, 5);
        FilePlan one = plan(entrant("nixlkv:auto", 5));
        FilePlan two = plan(entrant("nixlkv:auto", 5), entrant("nixlkv:nio", 5));
        assertTrue(one.expected(few).compareTo(two.expected(few)) < 0);
        assertTrue(two.expected(few).compareTo(two.expected(many)) < 0);
    }
}
