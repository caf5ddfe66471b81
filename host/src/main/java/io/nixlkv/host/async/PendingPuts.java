package io.nixlkv.host.async;

import io.nixlkv.api.KvKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The puts under way; those of one key belong to one call. Thread-safe. */
final class PendingPuts {
    private final Map<KvKey, PendingPut> byKey = new ConcurrentHashMap<>();

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    int size() {
        return byKey.size();
    }

    /** {@code null} if no put of this key is under way. */
    PendingPut get(KvKey key) {
        return byKey.get(key);
    }

    /** Enters all of these puts, or none: then it answers one of another call that is in the way. */
    synchronized Optional<PendingPut> enter(List<PendingPut> puts) {
        Optional<PendingPut> other = puts.stream()
                .map(put -> byKey.get(put.key()))
                .filter(Objects::nonNull)
                .findFirst();
        if (other.isEmpty()) {
            puts.forEach(put -> byKey.put(put.key(), put));
        }
        return other;
    }

    /** The same, after those in the way. False if one of them still runs at {@code end}, of {@link System#nanoTime}. */
    boolean enter(List<PendingPut> puts, long end) {
        for (Optional<PendingPut> other = enter(puts); other.isPresent(); other = enter(puts)) {
            if (!await(other.get(), end)) {
                return false;
            }
        }
        return true;
    }

    /** The values of these puts are no longer read, and their keys are free. Whoever waits for them is told by {@link PendingPut#ended}. */
    void leave(List<PendingPut> puts) {
        for (PendingPut put : puts) {
            put.release();
            byKey.remove(put.key(), put);
        }
    }

    /** Waits until none of the keys has a put under way. False if one still runs at {@code end}, of {@link System#nanoTime}. */
    boolean awaitIdle(Collection<? extends KvKey> keys, long end) {
        for (KvKey key : keys) {
            for (PendingPut put = get(key); put != null; put = get(key)) {
                if (!await(put, end)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Waits for all that are under way now. */
    boolean awaitAll(long end) {
        return awaitIdle(List.copyOf(byKey.keySet()), end);
    }

    /** Completes when the puts of these keys that are under way now have ended. */
    CompletableFuture<Void> whenIdle(Collection<? extends KvKey> keys) {
        return CompletableFuture.allOf(keys.stream()
                .map(this::get)
                .filter(Objects::nonNull)
                .map(PendingPut::ended)
                .toArray(CompletableFuture[]::new));
    }

    private static boolean await(PendingPut put, long end) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    put.ended().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
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
}
