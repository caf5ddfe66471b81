package io.nixlkv.plugin.support.file;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** Objects that are written and not yet visible, by token. Thread-safe. */
final class StagedObjects {
    /** A finished temporary and the name it is meant for. */
    record Staged(FileRoot root, String name, Path temporary, int length) {
        void discard() {
            temporary.toFile().delete();
        }
    }

    private final ConcurrentMap<Long, Staged> byToken = new ConcurrentHashMap<>();
    private final AtomicLong lastToken = new AtomicLong();

    long add(Staged staged) {
        long token = lastToken.incrementAndGet();
        byToken.put(token, staged);
        return token;
    }

    /** Spends a token; {@code null} if there is no such token. */
    Staged take(long token) {
        return byToken.remove(token);
    }

    void discardAll() {
        for (Long token : byToken.keySet()) {
            Staged staged = byToken.remove(token);
            if (staged != null) {
                staged.discard();
            }
        }
    }
}
