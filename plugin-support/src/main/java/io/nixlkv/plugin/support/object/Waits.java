package io.nixlkv.plugin.support.object;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Waiting that an interrupt does not cut short; the calling thread stays interrupted. */
final class Waits {
    private Waits() {}

    /** Whether the last thread of {@code threads} has ended by {@code deadline}, a {@link System#nanoTime()} value. */
    static boolean ended(ExecutorService threads, long deadline) {
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
