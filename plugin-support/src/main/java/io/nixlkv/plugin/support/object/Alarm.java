package io.nixlkv.plugin.support.object;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Cancels an exchange at a deadline, for requests that no lane awaits: opening, listing, closing. */
public final class Alarm implements AutoCloseable {
    private final Exchange exchange = new Exchange();
    private final ScheduledThreadPoolExecutor clock;

    /** @param deadline {@link System#nanoTime()} value */
    public Alarm(long deadline) {
        clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "object-store-alarm");
            thread.setDaemon(true);
            return thread;
        });
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        clock.schedule(exchange::cancel, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** What is cancelled. */
    public Exchange exchange() {
        return exchange;
    }

    /** Stops the clock. */
    @Override
    public void close() {
        clock.shutdown();
    }
}
