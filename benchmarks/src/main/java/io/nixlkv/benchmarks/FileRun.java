package io.nixlkv.benchmarks;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is compared with files in one run.
 *
 * @param family which stores of ours: {@link Entrants#NIXLKV} or {@link Entrants#POOL}
 * @param engines ours by name; empty for {@code auto} and every one that works here
 * @param subjects by name, in place of our engines
 * @param against opponents by name
 * @param lmcache whether LMCache is compared with too, by its adapters and by its bench
 * @param tree root of the source tree, where the command is
 * @param stop ends it early
 */
record FileRun(
        Entrants entrants,
        List<Setting> settings,
        String family,
        List<String> engines,
        List<String> subjects,
        List<String> against,
        boolean lmcache,
        Path tree,
        Stop stop) {
    /** What one turn of the two bench programs takes. */
    private static final Duration BENCH_TURN = Duration.ofSeconds(18);

    /**
     * Measures.
     *
     * @throws IllegalArgumentException if somebody is named who is not there
     */
    Report run(Match.Rules rules, PrintWriter out) {
        List<String> notes = new ArrayList<>();
        List<Entrant> judged = chosen(rules.directory(), notes);
        List<FilePlan> plans = new ArrayList<>();
        plans.add(new FilePlan(settings, judged, opponents(against)));
        if (lmcache) {
            List<String> adapters =
                    entrants.named(Entrants.LMCACHE).stream().map(Entrant::name).toList();
            plans.add(new FilePlan(settings, judged.subList(0, 1), opponents(adapters)));
        }
        Optional<BenchPair> pair = benchPair();
        int pairSteps = pair.isPresent() ? BenchPair.steps(rules) : 0;
        Progress progress = new Progress(
                out, stop, pairSteps + plans.stream().mapToInt(FilePlan::steps).sum());
        notes.forEach(progress::say);
        Duration expected = plans.stream()
                .map(plan -> plan.expected(rules))
                .reduce(BENCH_TURN.multipliedBy(pairSteps), Duration::plus);
        progress.say("this takes about " + Progress.text(expected)
                + "; --engines, --objects, --against and --pairs make it shorter or longer");
        Match match = new Match(rules, progress);
        List<Cell> cells = new ArrayList<>();
        boolean complete = true;
        try {
            plans.forEach(plan -> plan.run(match, cells::add));
            pair.ifPresent(programs -> cells.addAll(programs.run(rules, progress)));
        } catch (Stop.StoppedException e) {
            complete = false;
        }
        IoMode mode = settings.get(0).mode();
        return new Report(
                Conditions.of(rules, Conditions.files(rules.directory(), mode), cells), cells, notes, complete);
    }

    /** They are compared buffered only, as the target says. */
    private Optional<BenchPair> benchPair() {
        boolean buffered = settings.get(0).mode() == IoMode.BUFFERED;
        return lmcache && buffered
                ? Optional.of(
                        BenchPair.of(tree.resolve("nixlkv"), tree.resolve("benchmarks/peers"), entrants.version()))
                : Optional.empty();
    }

    private Map<String, List<Entrant>> opponents(List<String> names) {
        Map<String, List<Entrant>> opponents = new LinkedHashMap<>();
        names.forEach(name -> opponents.put(name, entrants.named(name)));
        return opponents;
    }

    /** The subjects that were named, or else those of our engines that work here. */
    private List<Entrant> chosen(Path folder, List<String> notes) {
        if (!subjects.isEmpty() || !engines.isEmpty()) {
            List<Entrant> named = new ArrayList<>();
            engines.forEach(engine -> named.addAll(entrants.named(family + ":" + engine)));
            subjects.forEach(subject -> named.addAll(entrants.named(subject)));
            return named;
        }
        List<Entrant> usable = new ArrayList<>();
        for (Entrant entrant : entrants.named(family)) {
            try {
                entrants.requireUsable(entrant, folder);
                usable.add(entrant);
            } catch (ContenderException e) {
                notes.add(entrant.name() + " is left out: " + e.getMessage());
            }
        }
        return usable;
    }
}
