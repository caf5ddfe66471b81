package io.nixlkv.host.cleaner;

import io.nixlkv.api.KvKey;

/** Goes with a pass: may stop it, protects objects, and is told what happens. Called on the pass's thread. */
public interface CleaningWatch {
    /** Whether the pass has to end soon. */
    default boolean stopped() {
        return false;
    }

    /** Whether somebody counts on an object. */
    default boolean leased(KvKey key) {
        return false;
    }

    /** An object was deleted. */
    default void gone(KvKey key) {}

    /** So many files have been looked at. */
    default void surveyed(long files) {}

    /** So many bytes are freed, of those that have to go. */
    default void freed(long bytes, long wanted) {}
}
