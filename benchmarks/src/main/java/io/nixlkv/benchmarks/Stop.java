package io.nixlkv.benchmarks;

/**
 * Whether the run is asked to end early. What is under way then ends as it always does, so that servers, peers and folders are
 * closed, and what was measured is reported. Thread-safe.
 */
final class Stop {
    private volatile boolean asked;

    /** Idempotent. */
    void ask() {
        asked = true;
    }

    boolean asked() {
        return asked;
    }

    /** @throws StoppedException if the run is to end */
    void check() {
        if (asked) {
            throw new StoppedException();
        }
    }

    /** The run was asked to end. Not a {@link ContenderException}: nobody failed. */
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private StoppedException() {
            super("stopped before everything was measured");
        }
    }
}
