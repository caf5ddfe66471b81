package io.nixlkv.plugin.support.file;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the batches that run, so that closing can wait for them. Thread-safe. */
public final class ActiveTransfers {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private int running;
    private volatile boolean closed;

    /** False once closed: the batch must not run. */
    public boolean enter() {
        lock.lock();
        try {
            if (!closed) {
                running++;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what {@link #enter} let in. */
    public void leave() {
        lock.lock();
        try {
            if (--running == 0) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is let in any more. */
    public boolean closed() {
        return closed;
    }

    /** Lets nothing in any more; true the first time. */
    public boolean close() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until nothing runs.
     *
     * @return false if something still runs at the deadline, or the waiting thread was interrupted
     */
    public boolean await(long deadline) {
        lock.lock();
        try {
            while (running > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                idle.await(left, TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return running == 0;
        } finally {
            lock.unlock();
        }
    }
}
