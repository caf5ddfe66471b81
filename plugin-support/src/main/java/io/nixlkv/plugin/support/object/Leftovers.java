package io.nixlkv.plugin.support.object;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends uploads that nobody will publish, which the store would keep otherwise: beside the requests of the lanes and each within an
 * exchange of its own, since what ended such an upload is most often a deadline. Nothing here touches the arena. Thread-safe.
 */
public final class Leftovers {
    /** As many connections as the strategies keep beside those of the lanes. */
    private static final int THREADS = 4;

    private static final long IDLE_SECONDS = 5;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final ThreadPoolExecutor threads;
    private final Queue<Runnable> failed = new ConcurrentLinkedQueue<>();
    private volatile RuntimeException reason;
    private volatile boolean finishing;
    private volatile long end;

    /** @param name of the threads */
    Leftovers(String name) {
        AtomicInteger started = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-leftovers-" + started.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Ends an upload soon; what fails is tried once more when the backend is closed.
     *
     * @param discard sends the request; may be called twice
     */
    public void end(Runnable discard) {
        try {
            threads.execute(() -> attempt(discard));
        } catch (RejectedExecutionException closed) {
            reason = closed;
            failed.add(discard);
        }
    }

    private void attempt(Runnable discard) {
        if (!sent(discard) && !keptForClosing(discard) && !sent(discard)) {
            failed.add(discard);
        }
    }

    private synchronized boolean keptForClosing(Runnable discard) {
        return !finishing && failed.add(discard);
    }

    private boolean sent(Runnable discard) {
        long now = System.nanoTime();
        long patience = finishing ? Math.min(PATIENCE, end - now) : PATIENCE;
        if (patience <= 0) {
            return false;
        }
        try (Alarm alarm = new Alarm(now + patience)) {
            alarm.exchange().enter();
            try {
                discard.run();
                return true;
            } catch (RuntimeException failure) {
                reason = failure;
                return false;
            } finally {
                alarm.exchange().leave();
            }
        }
    }

    private synchronized List<Runnable> toTryAgain(long deadline) {
        end = deadline;
        finishing = true;
        List<Runnable> again = List.copyOf(failed);
        failed.clear();
        return again;
    }

    /**
     * Tries once more what failed, and takes nothing new.
     *
     * @param deadline {@link System#nanoTime()} value by which it returns
     * @return how many uploads are left in the store
     */
    int finish(long deadline) {
        toTryAgain(deadline).forEach(this::end);
        threads.shutdown();
        return Waits.ended(threads, deadline)
                ? failed.size()
                : failed.size() + threads.getQueue().size() + threads.getActiveCount();
    }

    /** Why the last one failed; {@code null} if none did. */
    RuntimeException reason() {
        return reason;
    }
}
