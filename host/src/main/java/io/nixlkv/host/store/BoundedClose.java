package io.nixlkv.host.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Closing on a daemon thread of its own, awaited for a bounded time only: a backend's storage may never answer. */
final class BoundedClose {
    private BoundedClose() {}

    /**
     * Runs an action that closes something; it goes on by itself when it takes longer.
     *
     * @return whether it ended in time
     * @throws RuntimeException whatever the action threw in time
     */
    static boolean within(long nanos, String thread, Runnable action) {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread closing = new Thread(() -> run(action, ended), thread);
        closing.setDaemon(true);
        closing.start();
        try {
            return ended.completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS).join();
        } catch (CompletionException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown.getCause();
        }
    }

    private static void run(Runnable action, CompletableFuture<Boolean> ended) {
        try {
            action.run();
            ended.complete(true);
        } catch (RuntimeException | Error failed) {
            ended.completeExceptionally(failed);
        }
    }
}
