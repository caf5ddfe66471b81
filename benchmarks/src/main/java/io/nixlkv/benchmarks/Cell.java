package io.nixlkv.benchmarks;

import java.util.List;
import java.util.Optional;

/**
 * One operation of one subject, against every opponent.
 *
 * @param comparisons one for each opponent, in the order in which the opponents were named
 * @param target what is wanted, if anything
 * @param judged whether a miss counts against the run as a whole
 */
record Cell(
        Setting setting,
        Operation operation,
        String subject,
        List<Comparison> comparisons,
        Optional<Target> target,
        boolean judged) {
    Cell {
        comparisons = List.copyOf(comparisons);
    }

    Verdict verdict() {
        return target.map(wanted -> wanted.judge(comparisons)).orElseGet(this::soundness);
    }

    private Verdict soundness() {
        List<Verdict> all = comparisons.stream().map(Comparison::soundness).toList();
        if (all.contains(Verdict.FAILED)) {
            return Verdict.FAILED;
        }
        return all.contains(Verdict.INCONCLUSIVE) ? Verdict.INCONCLUSIVE : Verdict.MEASURED;
    }

    /** Whether the run as a whole passes as far as this goes. */
    boolean passed() {
        Verdict verdict = verdict();
        return verdict != Verdict.FAILED && (verdict != Verdict.MISSED || !judged);
    }

    /** The opponents; cells with the same ones stand in one table. */
    List<String> opponents() {
        return comparisons.stream().map(Comparison::opponent).toList();
    }
}
