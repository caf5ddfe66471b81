package io.nixlkv.benchmarks;

import io.nixlkv.benchmarks.PairedRounds.Pair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Compares subjects with the best variants of opponents, in one setting after the other. A side that fails costs the figures it
 * belongs to and nothing else.
 */
final class Match {
    /** Enough that one commit of a file system's journal does not make a sample. */
    private static final int BATCHES = 4;

    /** Servers have to keep less this way: some free what is deleted only minutes later. */
    private static final int BATCHES_OF_OBJECTS = 2;

    private final Rules rules;
    private final Random random;
    private final Progress progress;

    /** @param progress is told what begins */
    Match(Rules rules, Progress progress) {
        this.rules = rules;
        this.random = new Random(rules.seed());
        this.progress = progress;
    }

    /**
     * How it is measured.
     *
     * @param directory where everything is stored
     * @param pairs counted pairs
     * @param warmUp pairs before them
     * @param trialRounds rounds in which the opponent's best variant is found
     * @param seed of the random orders
     */
    record Rules(Path directory, int pairs, int warmUp, int trialRounds, long seed) {}

    /** How one variant's pairing with a subject ended, for each operation. */
    private record Outcome(Map<Operation, Comparison.Figures> figures, String failure) {}

    /**
     * Measures both operations.
     *
     * @param opponents the variants of each, by its name
     * @param results takes a cell for each operation and subject, without target, stores first; if the run is stopped, those of
     *     the subjects that were measured until then
     * @throws Stop.StoppedException if the run is to end
     */
    void run(List<Entrant> subjects, Map<String, List<Entrant>> opponents, Setting setting, Consumer<Cell> results) {
        Map<String, Trial> trials = new LinkedHashMap<>();
        opponents.forEach((name, variants) -> {
            progress.begins(label(setting) + ": the best of " + name);
            trials.put(
                    name,
                    Trial.run(variants, setting, rules.directory(), rules.trialRounds(), random, progress::check));
        });
        List<Cell> cells = new ArrayList<>();
        try {
            subjects.forEach(subject -> cells.addAll(judge(subject, trials, setting)));
        } finally {
            cells.stream().sorted(Comparator.comparing(Cell::operation)).forEach(results);
        }
    }

    private List<Cell> judge(Entrant subject, Map<String, Trial> trials, Setting setting) {
        Map<Operation, List<Comparison>> comparisons = new EnumMap<>(Operation.class);
        trials.forEach((name, trial) -> {
            progress.begins(label(setting) + ": " + subject.name() + " against " + name);
            compare(subject, name, trial, setting)
                    .forEach((operation, comparison) -> comparisons
                            .computeIfAbsent(operation, unused -> new ArrayList<>())
                            .add(comparison));
        });
        return comparisons.entrySet().stream()
                .map(entry ->
                        new Cell(setting, entry.getKey(), subject.name(), entry.getValue(), Optional.empty(), true))
                .toList();
    }

    private Map<Operation, Comparison> compare(Entrant subject, String opponent, Trial trial, Setting setting) {
        Map<Entrant, Outcome> measured = new HashMap<>();
        Map<Operation, Comparison> comparisons = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            Optional<Trial.Entry> best = trial.best(operation);
            Outcome outcome = best.isEmpty()
                    ? new Outcome(Map.of(), trial.failures())
                    : measured.computeIfAbsent(best.get().entrant(), variant -> pairUp(subject, variant, setting));
            comparisons.put(
                    operation, new Comparison(opponent, trial, outcome.figures().get(operation), outcome.failure()));
        }
        return comparisons;
    }

    private Outcome pairUp(Entrant subject, Entrant variant, Setting setting) {
        try (Corner ours = Corner.open(subject, setting, rules.directory());
                Corner peer = Corner.open(variant, setting, rules.directory());
                Corner twin = Corner.open(variant, setting, rules.directory())) {
            List<Map<Operation, Samples>> samples = new PairedRounds(random, batches(setting), progress::check)
                    .run(
                            List.of(
                                    new Pair(ours.contender(), peer.contender()),
                                    new Pair(peer.contender(), twin.contender())),
                            rules.warmUp(),
                            rules.pairs());
            Map<Operation, Comparison.Figures> figures = new EnumMap<>(Operation.class);
            for (Operation operation : Operation.values()) {
                figures.put(
                        operation,
                        new Comparison.Figures(
                                ours.contender().identity(),
                                peer.contender().identity(),
                                samples.get(0).get(operation),
                                samples.get(1).get(operation)));
            }
            return new Outcome(figures, null);
        } catch (ContenderException e) {
            progress.checkAfterFailure();
            return new Outcome(Map.of(), e.getMessage());
        }
    }

    private static int batches(Setting setting) {
        return setting.mode() == IoMode.OBJECTS ? BATCHES_OF_OBJECTS : BATCHES;
    }

    private static String label(Setting setting) {
        return setting.workload().label() + " " + setting.mode().label();
    }
}
