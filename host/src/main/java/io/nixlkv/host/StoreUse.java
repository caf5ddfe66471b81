package io.nixlkv.host;

/** What a store is opened for. */
enum StoreUse {
    /** A host that lives: what the store holds is counted in the background. */
    SERVING,

    /** A single task that stores: what a limit on bytes counts is counted before it begins. */
    STORING,

    /** A single task that has no need of the limit. */
    LOOKING;

    boolean longLived() {
        return this == SERVING;
    }
}
