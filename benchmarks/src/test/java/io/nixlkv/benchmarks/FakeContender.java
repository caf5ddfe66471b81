package io.nixlkv.benchmarks;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A contender that takes the time it is told, writes down what is asked of it, and insists on fresh names. */
final class FakeContender implements Contender {
    private final String name;
    private final long nanos;
    private final List<String> log;
    private final long failingRound;
    private final Set<Long> stored = new HashSet<>();
    private final Set<Long> everStored = new HashSet<>();
    private boolean closed;

    FakeContender(String name, long nanos, List<String> log, long failingRound) {
        this.name = name;
        this.nanos = nanos;
        this.log = log;
        this.failingRound = failingRound;
    }

    FakeContender(String name, long nanos, List<String> log) {
        this(name, nanos, log, Long.MAX_VALUE);
    }

    @Override
    public Identity identity() {
        return new Identity(name, "9", 1);
    }

    @Override
    public long store(long round) {
        log.add("store " + name);
        if (round >= failingRound) {
            throw new ContenderException(name + " is full");
        }
        if (!everStored.add(round)) {
            throw new IllegalStateException("round " + round + " is not fresh");
        }
        stored.add(round);
        return nanos * 2;
    }

    @Override
    public long load(long round) {
        log.add("load " + name);
        if (!stored.contains(round)) {
            throw new IllegalStateException("round " + round + " is not there");
        }
        return nanos;
    }

    @Override
    public void verify(long round) {
        load(round);
        log.remove(log.size() - 1);
        log.add("verify " + name);
    }

    @Override
    public void drop(long round) {
        stored.remove(round);
    }

    @Override
    public void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    boolean empty() {
        return stored.isEmpty();
    }
}
