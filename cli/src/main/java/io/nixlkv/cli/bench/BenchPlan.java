package io.nixlkv.cli.bench;

/**
 * What a benchmark run does.
 *
 * @param numKeys objects of one batch
 * @param inFlight batches submitted at once
 * @param objectBytes bytes of one object, a multiple of 8
 * @param rounds measured rounds
 * @param warmupRounds rounds before them that are not counted
 * @param verify whether every byte of the last loaded round is compared
 */
public record BenchPlan(int numKeys, int inFlight, int objectBytes, int rounds, int warmupRounds, boolean verify) {

    /** Objects of one round. */
    public int keysPerRound() {
        return Math.multiplyExact(numKeys, inFlight);
    }

    /** Rounds of one operation, with the warm-up. */
    public int allRounds() {
        return rounds + warmupRounds;
    }

    /** Objects of all rounds; they stay until the end of the run. */
    public long allObjects() {
        return (long) keysPerRound() * allRounds();
    }

    /** The number of an object over all rounds. */
    long index(int round, int object) {
        return (long) round * keysPerRound() + object;
    }
}
