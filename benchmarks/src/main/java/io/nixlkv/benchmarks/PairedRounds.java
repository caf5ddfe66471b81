package io.nixlkv.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures pairs of contenders in rounds. In every round each pair stores, then loads, one batch on either side, one directly
 * after the other; which pair comes first, and which side, is drawn anew each time. Every batch has fresh names, and is removed
 * after the pair is timed.
 */
final class PairedRounds {
    private final Random random;
    private long round;

    /** @param random draws the orders */
    PairedRounds(Random random) {
        this.random = random;
    }

    /** Two sides that are measured one directly after the other. */
    record Pair(Contender left, Contender right) {}

    /**
     * Measures.
     *
     * @param warmUp rounds that are done and not counted
     * @param count rounds that are counted
     * @return for each pair in order, the times of each operation
     */
    List<Map<Operation, Samples>> run(List<Pair> pairs, int warmUp, int count) {
        List<Map<Operation, Samples>> all = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            Map<Operation, Samples> ofPair = new EnumMap<>(Operation.class);
            for (Operation operation : Operation.values()) {
                ofPair.put(operation, new Samples(new long[count], new long[count]));
            }
            all.add(ofPair);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            order.add(i);
        }
        for (int i = -warmUp; i < count; i++) {
            Collections.shuffle(order, random);
            for (int pair : order) {
                measure(pairs.get(pair), all.get(pair), i);
            }
        }
        return all;
    }

    private void measure(Pair pair, Map<Operation, Samples> samples, int index) {
        round++;
        for (Operation operation : Operation.values()) {
            boolean leftFirst = random.nextBoolean();
            long first = operation.time(leftFirst ? pair.left() : pair.right(), round);
            long second = operation.time(leftFirst ? pair.right() : pair.left(), round);
            if (index >= 0) {
                samples.get(operation).left()[index] = leftFirst ? first : second;
                samples.get(operation).right()[index] = leftFirst ? second : first;
            }
        }
        pair.left().drop(round);
        pair.right().drop(round);
    }
}
