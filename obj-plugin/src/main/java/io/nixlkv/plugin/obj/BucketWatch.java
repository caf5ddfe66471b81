package io.nixlkv.plugin.obj;

/** Tells a missing object from a missing bucket where an answer does not, without asking again for every object. Thread-safe. */
final class BucketWatch {
    private static final long TRUSTED_NANOS = 100_000_000;

    private final Runnable request;
    private long seen;

    /** @param request throws if the bucket is not there */
    BucketWatch(Runnable request) {
        this.request = request;
        seen = System.nanoTime() - TRUSTED_NANOS;
    }

    void requirePresent() {
        long before = System.nanoTime();
        synchronized (this) {
            if (before - seen < TRUSTED_NANOS) {
                return;
            }
        }
        request.run();
        synchronized (this) {
            seen = before;
        }
    }
}
