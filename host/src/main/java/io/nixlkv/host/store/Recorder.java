package io.nixlkv.host.store;

import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that bring the records of written slots to stable storage. Nothing of the user's runs on them, so they get to each
 * write that waits for its records, also while every callback of the user's waits for such a write.
 */
final class Recorder {
    private static final int THREADS = 2;

    private final ThreadPoolExecutor threads;

    /** @param strategy names the threads */
    Recorder(String strategy) {
        String name = "nixlkv-" + strategy.toLowerCase(Locale.ROOT) + "-records";
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                // a transfer that outlives close is answered on the thread that ends it
                (task, shutDown) -> task.run());
        threads.allowCoreThreadTimeOut(true);
    }

    void execute(Runnable task) {
        threads.execute(task);
    }

    /**
     * Takes nothing more, and waits for what it has.
     *
     * @param deadline {@link System#nanoTime()} value
     * @return whether all of it is done
     */
    boolean close(long deadline) {
        threads.shutdown();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return threads.awaitTermination(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
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
