package io.nixlkv.plugin.support.file;

/**
 * Keeps an interrupt of the calling thread from failing transfers: Java closes a channel whose thread is interrupted, so the flag
 * is taken away while a batch runs, what was cut short runs again, and the flag is set again at the end. One thread.
 */
final class InterruptShield {
    private boolean interrupted;

    void raise() {
        interrupted = Thread.interrupted();
    }

    /** After a channel was closed under a transfer: whether it may run again. */
    boolean mayRetry(long deadline) {
        interrupted |= Thread.interrupted();
        return !ChunkedIo.expired(deadline);
    }

    void lower() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
