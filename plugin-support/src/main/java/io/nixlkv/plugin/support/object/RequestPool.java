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

    /**
     * @param name of the threads
     * @param size most requests at once
     */
    public RequestPool(String name, int size) {
        this.size = size;
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

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Whether no thread is at work any more at {@code deadline}, a {@link System#nanoTime()} value; takes no more work. */
    boolean finish(long deadline) {
        threads.shutdown();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return threads.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
