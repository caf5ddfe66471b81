package io.nixlkv.plugin.support.object;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One item's conversation with a store, retries included, as far as it can be cancelled. The thread that talks enters it; the HTTP
 * client of the strategy says how the request under way is ended; any thread may cancel. Thread-safe.
 */
public final class Exchange {
    private static final ThreadLocal<Exchange> CURRENT = new ThreadLocal<>();
    private static final Runnable NOTHING = () -> {};

    private final List<Exchange> forks = new ArrayList<>();
    private Runnable abort = NOTHING;
    private boolean cancelled;

    /** The exchange that this thread has entered; {@code null} outside of one. */
    public static Exchange current() {
        return CURRENT.get();
    }

    /** Makes this the current exchange of the calling thread, until {@link #leave}. */
    public void enter() {
        CURRENT.set(this);
    }

    /** Ends what {@link #enter} began. */
    public void leave() {
        CURRENT.remove();
        synchronized (this) {
            abort = NOTHING;
        }
    }

    /**
     * Tells how to end the request that is about to be sent.
     *
     * @param action ends the request promptly, from any thread, also after it has ended
     * @throws IOException if the exchange was cancelled: the request must not be sent
     */
    public void begins(Runnable action) throws IOException {
        synchronized (this) {
            if (!cancelled) {
                abort = action;
                return;
            }
        }
        throw new IOException("the deadline has passed");
    }

    /** An exchange for another thread that works for the same item; it is cancelled together with this one. */
    public synchronized Exchange fork() {
        Exchange fork = new Exchange();
        if (cancelled) {
            fork.cancel();
        }
        forks.add(fork);
        return fork;
    }

    /** Whether no further request may be sent. */
    public synchronized boolean cancelled() {
        return cancelled;
    }

    /** Ends the request under way and refuses further ones. Idempotent. */
    public void cancel() {
        Runnable action;
        List<Exchange> others;
        synchronized (this) {
            cancelled = true;
            action = abort;
            abort = NOTHING;
            others = List.copyOf(forks);
        }
        action.run();
        others.forEach(Exchange::cancel);
    }
}
