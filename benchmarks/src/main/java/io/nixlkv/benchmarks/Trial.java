package io.nixlkv.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A short run of all variants of a peer, to find its best one. All of them are open together, and in every round their order is
 * drawn anew. The best one is chosen for each operation by itself.
 */
record Trial(List<Entry> entries) {
    private static final int WARM_UP = 2;

    Trial {
        entries = List.copyOf(entries);
    }

    /**
     * How one variant did.
     *
     * @param medianNanos by operation; empty if it failed
     * @param failure why it failed, or null
     */
    record Entry(Entrant entrant, String version, Map<Operation, Double> medianNanos, String failure) {
        static Entry failed(Entrant entrant, ContenderException e) {
            return new Entry(entrant, null, Map.of(), e.getMessage());
        }
    }

    /**
     * Measures; a variant that fails is left behind with its reason.
     *
     * @param beforeRound may end it all with an exception
     */
    static Trial run(
            List<Entrant> entrants, Setting setting, Path directory, int rounds, Random random, Runnable beforeRound) {
        List<Runner> runners = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        try {
            for (Entrant entrant : entrants) {
                try {
                    runners.add(new Runner(entrant, Corner.open(entrant, setting, directory), rounds));
                } catch (ContenderException e) {
                    entries.add(Entry.failed(entrant, e));
                }
            }
            List<Runner> order = new ArrayList<>(runners);
            for (int round = -WARM_UP; round < rounds; round++) {
                beforeRound.run();
                Collections.shuffle(order, random);
                for (Runner runner : List.copyOf(order)) {
                    try {
                        runner.measure(round);
                    } catch (ContenderException e) {
                        order.remove(runner);
                        entries.add(Entry.failed(runner.entrant, e));
                    }
                }
            }
            order.forEach(runner -> entries.add(runner.entry()));
        } finally {
            runners.forEach(runner -> runner.corner.close());
        }
        entries.sort(Comparator.comparing(entry -> entrants.indexOf(entry.entrant())));
        return new Trial(entries);
    }

    /** The fastest variant, if any works. */
    Optional<Entry> best(Operation operation) {
        return entries.stream()
                .filter(entry -> entry.failure() == null)
                .min(Comparator.comparing(entry -> entry.medianNanos().get(operation)));
    }

    /** Why none works. */
    String failures() {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            text.append(text.isEmpty() ? "" : "; ").append(entry.failure());
        }
        return text.toString();
    }

    /** A variant that is being tried. */
    private static final class Runner {
        private final Entrant entrant;
        private final Corner corner;
        private final Map<Operation, long[]> nanos = new EnumMap<>(Operation.class);

        Runner(Entrant entrant, Corner corner, int rounds) {
            this.entrant = entrant;
            this.corner = corner;
            for (Operation operation : Operation.values()) {
                nanos.put(operation, new long[rounds]);
            }
        }

        /** A negative index is not counted. */
        void measure(int index) {
            long round = index + WARM_UP + 1L;
            for (Operation operation : Operation.values()) {
                long time = operation.time(corner.contender(), round);
                if (index >= 0) {
                    nanos.get(operation)[index] = time;
                }
            }
            corner.contender().drop(round);
        }

        Entry entry() {
            Map<Operation, Double> medians = new EnumMap<>(Operation.class);
            nanos.forEach((operation, times) -> medians.put(operation, Samples.median(times)));
            return new Entry(entrant, corner.contender().identity().version(), medians, null);
        }
    }
}
