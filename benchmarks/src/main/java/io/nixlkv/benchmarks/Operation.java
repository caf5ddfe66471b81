package io.nixlkv.benchmarks;

import java.util.Locale;

/** What is timed: one whole batch in, all its results back. */
enum Operation {
    STORE {
        @Override
        long time(Contender contender, long round) {
            return contender.store(round);
        }
    },
    LOAD {
        @Override
        long time(Contender contender, long round) {
            return contender.load(round);
        }
    };

    /** Does it once. @return nanoseconds */
    abstract long time(Contender contender, long round);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
