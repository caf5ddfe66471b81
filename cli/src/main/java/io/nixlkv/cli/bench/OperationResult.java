package io.nixlkv.cli.bench;

import java.util.ArrayList;
import java.util.List;

/** The rounds of one operation. Bytes are those of objects whose transfer was completed, nothing else. Not thread-safe. */
public final class OperationResult {

    /**
     * One measured round.
     *
     * @param nanos from the first submission to the last completion
     * @param done objects whose bytes were moved; for lookups, those found
     * @param timedOut whether an object ended as TIMED_OUT
     */
    public record Round(long nanos, int done, boolean timedOut) {}

    private final String operation;
    private final int keysPerRound;
    private final long objectBytes;
    private final List<Round> rounds = new ArrayList<>();

    OperationResult(String operation, int keysPerRound, long objectBytes) {
        this.operation = operation;
        this.keysPerRound = keysPerRound;
        this.objectBytes = objectBytes;
    }

    void add(Round round) {
        rounds.add(round);
    }

    /** {@code store}, {@code lookup} or {@code load}. */
    public String operation() {
        return operation;
    }

    public List<Round> rounds() {
        return rounds;
    }

    public int keysPerRound() {
        return keysPerRound;
    }

    public long totalKeys() {
        return (long) keysPerRound * rounds.size();
    }

    public long totalSuccess() {
        long sum = 0;
        for (Round round : rounds) {
            sum += round.done;
        }
        return sum;
    }

    public long totalMovedBytes() {
        long sum = 0;
        for (Round round : rounds) {
            sum += round.done * objectBytes;
        }
        return sum;
    }

    public int roundsTimedOut() {
        int count = 0;
        for (Round round : rounds) {
            count += round.timedOut ? 1 : 0;
        }
        return count;
    }

    /** Round durations, milliseconds. */
    public Figures durations() {
        double[] millis = new double[rounds.size()];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = rounds.get(i).nanos / 1e6;
        }
        return new Figures(millis);
    }

    /** Throughput of the rounds, MiB/s of completed bytes. */
    public Figures throughputs() {
        double[] rates = new double[rounds.size()];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = rounds.get(i).done * objectBytes / 1048576.0 / (rounds.get(i).nanos / 1e9);
        }
        return new Figures(rates);
    }

    /** Completed operations per second of the rounds. */
    public Figures rates() {
        double[] rates = new double[rounds.size()];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = rounds.get(i).done / (rounds.get(i).nanos / 1e9);
        }
        return new Figures(rates);
    }
}
