package io.nixlkv.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which subjects are compared with which opponents, in which settings.
 *
 * @param subjects who is judged
 * @param opponents the variants of each opponent, by its name
 */
record FilePlan(List<Setting> settings, List<Entrant> subjects, Map<String, List<Entrant>> opponents) {
    /** What a batch takes at least on either side: its names, a round trip to a peer, the removal of its files. */
    private static final double NANOS_PER_OBJECT_BUFFERED = 80_000;

    private static final double NANOS_PER_OBJECT_DIRECT = 200_000;
    private static final double BUFFERED_BYTES_PER_NANO = 1.5;
    private static final double DIRECT_BYTES_PER_NANO = 0.5;
    private static final Duration OPENING = Duration.ofMillis(700);
    private static final Duration OPENING_PYTHON = Duration.ofSeconds(6);
    /** A round of a pairing measures the pair, and the opponent with itself. */
    private static final int SIDES_PER_ROUND = 4;
    /** Stores and loads often have different best variants. */
    private static final double VARIANTS_PER_OPPONENT = 1.5;

    FilePlan {
        settings = List.copyOf(settings);
        subjects = List.copyOf(subjects);
        opponents = new LinkedHashMap<>(opponents);
    }

    /**
     * Measures all of it.
     *
     * @param results takes cells with our engines' targets, as they are measured
     * @throws Stop.StoppedException if the run is to end
     */
    void run(Match match, Consumer<Cell> results) {
        settings.forEach(setting -> match.run(subjects, opponents, setting, cell -> results.accept(withTarget(cell))));
    }

    private Cell withTarget(Cell cell) {
        String family = Entrant.family(cell.subject());
        if (!Entrants.ours(family)) {
            return cell;
        }
        Target target = family.equals(Entrants.POOL)
                ? Target.ofPool(cell.operation())
                : Target.ofFiles(cell.setting().mode(), cell.operation());
        return new Cell(
                cell.setting(),
                cell.operation(),
                cell.subject(),
                cell.comparisons(),
                target.among(cell.opponents()),
                judged(cell.subject()));
    }

    /** The engine that a store chooses by itself answers for all of them, where it takes part. */
    private boolean judged(String subject) {
        String chosen = Entrant.family(subject) + ":" + Entrants.AUTO;
        return subject.equals(chosen)
                || subjects.stream().noneMatch(entrant -> entrant.name().equals(chosen));
    }

    /** How often {@link Progress#begins} is called. */
    int steps() {
        return settings.size() * opponents.size() * (1 + subjects.size());
    }

    /** About how long it takes, on a machine like those that servers have. */
    Duration expected(Match.Rules rules) {
        double nanos = 0;
        for (Setting setting : settings) {
            double batch = batchNanos(setting);
            for (List<Entrant> variants : opponents.values()) {
                boolean python = variants.get(0).family().equals(Entrants.LMCACHE);
                long opening = (python ? OPENING_PYTHON : OPENING).toNanos();
                nanos += variants.size() * (opening + rules.trialRounds() * batch);
                nanos += subjects.size()
                        * Math.min(variants.size(), VARIANTS_PER_OPPONENT)
                        * (2 * opening + (rules.warmUp() + rules.pairs()) * SIDES_PER_ROUND * batch);
            }
        }
        return Duration.ofNanos((long) nanos);
    }

    private static double batchNanos(Setting setting) {
        boolean direct = setting.mode() == IoMode.DIRECT;
        return 2 * setting.workload().batchBytes() / (direct ? DIRECT_BYTES_PER_NANO : BUFFERED_BYTES_PER_NANO)
                + setting.workload().objects() * (direct ? NANOS_PER_OBJECT_DIRECT : NANOS_PER_OBJECT_BUFFERED);
    }
}
