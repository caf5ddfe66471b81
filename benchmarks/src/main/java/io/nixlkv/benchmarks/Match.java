package io.nixlkv.benchmarks;

import io.nixlkv.benchmarks.PairedRounds.Pair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * Compares a subject with the best variant of an opponent, in one setting after the other. A side that fails costs the figures
 * it belongs to and nothing else.
 */
final class Match {
    private final Rules rules;
    private final Random random;

    Match(Rules rules) {
        this.rules = rules;
        this.random = new Random(rules.seed());
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
    record Rules(Path directory, int pairs, int warmUp, int trialRounds, long seed, Targets targets) {}

    /** Measures both operations. @param variants the opponent's, all of one family */
    List<Result> run(Entrant subject, List<Entrant> variants, Setting setting) {
        String opponent = variants.get(0).family();
        Trial trial = Trial.run(variants, setting, rules.directory(), rules.trialRounds(), random);
        Map<Entrant, Map<Operation, Outcome>> measured = new HashMap<>();
        List<Result> results = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            Optional<Trial.Entry> best = trial.best(operation);
            Outcome outcome = best.isEmpty()
                    ? new Outcome(null, trial.failures())
                    : measured.computeIfAbsent(best.get().entrant(), variant -> pairUp(subject, variant, setting))
                            .get(operation);
            OptionalDouble target = rules.targets().find(setting, operation, subject, opponent);
            Result.Figures figures = outcome.figures();
            Verdict verdict = figures == null
                    ? Verdict.FAILED
                    : Verdict.of(
                            figures.samples().ratios().median(),
                            figures.peerWithItself().ratios().spread(),
                            target);
            results.add(new Result(
                    setting, operation, subject, opponent, trial, target, figures, verdict, outcome.failure()));
        }
        return results;
    }

    /** Figures, or the reason why there are none. */
    private record Outcome(Result.Figures figures, String failure) {}

    private Map<Operation, Outcome> pairUp(Entrant subject, Entrant variant, Setting setting) {
        Map<Operation, Outcome> outcomes = new EnumMap<>(Operation.class);
        try (Corner ours = Corner.open(subject, setting, rules.directory());
                Corner peer = Corner.open(variant, setting, rules.directory());
                Corner twin = Corner.open(variant, setting, rules.directory())) {
            List<Map<Operation, Samples>> samples = new PairedRounds(random)
                    .run(
                            List.of(
                                    new Pair(ours.contender(), peer.contender()),
                                    new Pair(peer.contender(), twin.contender())),
                            rules.warmUp(),
                            rules.pairs());
            for (Operation operation : Operation.values()) {
                Result.Figures figures = new Result.Figures(
                        ours.contender().identity(),
                        peer.contender().identity(),
                        samples.get(0).get(operation),
                        samples.get(1).get(operation));
                outcomes.put(operation, new Outcome(figures, null));
            }
        } catch (ContenderException e) {
            for (Operation operation : Operation.values()) {
                outcomes.put(operation, new Outcome(null, e.getMessage()));
            }
        }
        return outcomes;
    }
}
