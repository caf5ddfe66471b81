package io.nixlkv.host.async;

import io.nixlkv.api.KvKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The order of the calls that change an object: one at a time for each key, first come first served. Thread-safe. */
final class Turns {
    /** The last call of each key that has a call; guarded by this. */
    private final Map<KvKey, Turn> last = new HashMap<>();

    /** A place behind all earlier calls of these keys. Taken for all of them at once, so no two calls wait for each other. */
    synchronized Turn take(List<? extends KvKey> keys) {
        CompletableFuture<?>[] earlier = keys.stream()
                .map(last::get)
                .filter(Objects::nonNull)
                .distinct()
                .map(turn -> turn.over)
                .toArray(CompletableFuture[]::new);
        Turn turn = new Turn(keys, CompletableFuture.allOf(earlier));
        keys.forEach(key -> last.put(key, turn));
        return turn;
    }

    /** Keys that have a call. */
    synchronized int size() {
        return last.size();
    }

    /** Waits for all calls that have a turn now. False if one still has it at {@code end}, of {@link System#nanoTime}. */
    boolean awaitAll(long end) {
        CompletableFuture<?>[] all;
        synchronized (this) {
            all = last.values().stream().distinct().map(turn -> turn.over).toArray(CompletableFuture[]::new);
        }
        return await(CompletableFuture.allOf(all), end);
    }

    private static boolean await(CompletableFuture<Void> event, long end) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    event.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException again) {
                    interrupted = true;
                } catch (TimeoutException late) {
                    return false;
                } catch (ExecutionException never) {
                    throw new IllegalStateException(never);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The turn of one call. */
    final class Turn implements AutoCloseable {
        private final List<? extends KvKey> keys;
        private final CompletableFuture<Void> come;
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        private Turn(List<? extends KvKey> keys, CompletableFuture<Void> come) {
            this.keys = List.copyOf(keys);
            this.come = come;
        }

        /** Completes when no earlier call of its keys is left. What is to be done then is not to run in the earlier call's thread. */
        CompletableFuture<Void> come() {
            return come;
        }

        boolean hasCome() {
            return come.isDone();
        }

        /** Waits until it has come. False if it has not at {@code end}, of {@link System#nanoTime}. */
        boolean await(long end) {
            return hasCome() || Turns.await(come, end);
        }

        /** The call is over. If its turn has not come yet, later calls still wait for the earlier ones. Idempotent. */
        @Override
        public void close() {
            if (hasCome()) {
                pass();
            } else {
                // Elsewhere: a long row of calls that gave up would be a deep stack here.
                come.thenRunAsync(this::pass);
            }
        }

        private void pass() {
            synchronized (Turns.this) {
                keys.forEach(key -> last.remove(key, this));
            }
            over.complete(null);
        }
    }
}
