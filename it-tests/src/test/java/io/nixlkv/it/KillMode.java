package io.nixlkv.it;

/** The ways of holding objects in which a process is killed. */
enum KillMode {
    /** A file for each object. */
    DYNAMIC("", 0),
    /** A file for each object; the answer to a store comes before it is written. */
    ASYNC_PUT("presence_cache = true\nasync_put = true\nlocal_cpu = true\n", 0),
    /** A pool with room for every key, and for a replacement by each writer. */
    POOL("", KilledChild.WRITERS * (KilledChild.KEYS_PER_WRITER + 1) + 1),
    /** The same with a file for each slot. */
    POOL_FILES("pool_layout = \"files\"\n", KilledChild.WRITERS * (KilledChild.KEYS_PER_WRITER + 1) + 1),
    /** A pool that evicts all the time. */
    TIGHT_POOL("local_cpu = true\n", 12);

    private final String lines;
    private final int slots;

    KillMode(String lines, int slots) {
        this.lines = lines;
        this.slots = slots;
    }

    /** Lines of {@code [store]}. */
    String lines() {
        String pool = slots == 0 ? "" : "pool_size = " + slots + "\nslot_bytes = " + KilledChild.LONGEST + "\n";
        return "layout = \"raw\"\nnum_workers = 3\n" + lines + pool;
    }

    boolean isPool() {
        return slots > 0;
    }

    int slots() {
        return slots;
    }

    /** Whether what a store call answered for survives the process. */
    boolean keepsWhatItAcknowledged() {
        return this != ASYNC_PUT;
    }

    /** Whether nothing goes unless it is deleted. */
    boolean keepsEverything() {
        return this == DYNAMIC || this == POOL || this == POOL_FILES;
    }
}
