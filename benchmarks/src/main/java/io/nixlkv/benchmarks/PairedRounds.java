package io.nixlkv.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures pairs of contenders in rounds. In every round each pair stores, then loads, a batch on either side, one directly after
 * the other, several times in turn; the mean of a side's times is its sample. Which pair comes first, and each time which side,
 * is drawn anew. Every batch has fresh names, and is removed after both sides have loaded it.
 */
final class PairedRounds {
    private final Random random;
    private final int batches;
    private final Runnable beforeRound;
    private long batch;

    /**
     * @param random draws the orders
     * @param batches of each side in one sample, at least 1
     * @param beforeRound may end it all with an exception
     */
    PairedRounds(Random random, int batches, Runnable beforeRound) {
        this.random = random;
        this.batches = batches;
        this.beforeRound = beforeRound;
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
            beforeRound.run();
            Collections.shuffle(order, random);
            for (int pair : order) {
                for (int turn = 0; turn < batches; turn++) {
                    measure(pairs.get(pair), all.get(pair), i);
                }
            }
        }
        all.forEach(ofPair -> ofPair.values().forEach(this::toMeans));
        return all;
    }

    private void toMeans(Samples sums) {
        for (int i = 0; i < sums.left().length; i++) {
            sums.left()[i] /= batches;
            sums.right()[i] /= batches;
        }
    }

    private void measure(Pair pair, Map<Operation, Samples> samples, int index) {
        batch++;
        for (Operation operation : Operation.values()) {
            boolean leftFirst = random.nextBoolean();
            long first = operation.time(leftFirst ? pair.left() : pair.right(), batch);
            long second = operation.time(leftFirst ? pair.right() : pair.left(), batch);
            if (index >= 0) {
                samples.get(operation).left()[index] += leftFirst ? first : second;
                samples.get(operation).right()[index] += leftFirst ? second : first;
            }
        }
        pair.left().drop(batch);
        pair.right().drop(batch);
    }
}
