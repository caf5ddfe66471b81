package io.nixlkv.api.hicache;

/**
 * A host pool that a view transfers pages from and into. Thread-safe. Closing it is idempotent: it waits, within the view's deadline,
 * for transfers that run, then gives the bounce memory back and lets the engine do with its pool what it likes.
 */
public interface PoolRegistration extends AutoCloseable {
    /** The pool. */
    HostPool pool();

    /** Whether pages are transferred where they are, and so have the names of zero copy. */
    boolean zeroCopy();

    /** Bounce pages for each direction; 0 with zero copy. */
    int bouncePages();

    @Override
    void close();
}
