package io.nixlkv.benchmarks;

/**
 * One side of a comparison, opened for one {@link Setting} in a directory of its own, with its memory allocated, touched and
 * registered. Used by one thread. Every method that fails throws {@link ContenderException}; a contender that failed is only
 * closed.
 */
interface Contender extends AutoCloseable {

    Identity identity();

    /** Stores the whole batch under names that belong to this round alone. @return nanoseconds */
    long store(long round);

    /** Loads the batch that was stored in this round. @return nanoseconds */
    long load(long round);

    /** Clears the memory, loads, and compares every byte. Not timed. */
    void verify(long round);

    /** Removes what this round stored. Not timed. */
    void drop(long round);

    @Override
    void close();

    /**
     * Who it is, for the report.
     *
     * @param name as on the command line, such as {@code nixl:use_uring}
     * @param version of the measured software
     * @param threads that move data
     */
    record Identity(String name, String version, int threads) {
        /** The part of the name before the colon. */
        String family() {
            return Entrant.family(name);
        }
    }
}
