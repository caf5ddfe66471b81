package io.nixlkv.plugin.support.object;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a backend that send requests: as many as requests may be under way at once, started when needed, never
 * interrupted. Thread-safe.
 */
public final class RequestPool implements Executor {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;
    private final int size;
    private final Leftovers leftovers;

    /**
     * @param name of the threads
     * @param size most requests at once
     */
    public RequestPool(String name, int size) {
        this.size = size;
        leftovers = new Leftovers(name);
        AtomicInteger started = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + started.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Most requests at once. */
    public int size() {
        return size;
    }

    /** Where uploads go that nobody will publish; works on while requests are awaited, until the backend is closed. */
    public Leftovers leftovers() {
        return leftovers;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Whether no thread is at work any more at {@code deadline}, a {@link System#nanoTime()} value; takes no more work. */
    boolean finish(long deadline) {
        threads.shutdown();
        return Waits.ended(threads, deadline);
    }
}
