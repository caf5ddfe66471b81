package io.nixlkv.host.store;

import io.nixlkv.api.KeyVisitor;
import io.nixlkv.api.KvKey;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lists a store's objects on a thread of its own, so that a hanging file system cannot keep the caller past the deadline. */
final class Listing {
    private static final long GRACE_MILLIS = 250;

    private final StoreSpec spec;
    private final StorageBackend backend;

    Listing(StoreSpec spec, StorageBackend backend) {
        this.spec = spec;
        this.backend = backend;
    }

    void run(String prefix, KeyVisitor visitor) {
        run(prefix, spec.deadline(), visitor);
    }

    void run(String prefix, Duration patience, KeyVisitor visitor) {
        if (!spec.engine().can().has(Feature.LIST)) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "list is not supported by engine " + spec.engine().engine() + " of " + spec.name());
        }
        AtomicBoolean wanted = new AtomicBoolean(true);
        CompletableFuture<Void> done = new CompletableFuture<>();
        long deadline = System.nanoTime() + patience.toNanos();
        Thread thread = new Thread(
                () -> {
                    try {
                        visitRoots(prefix, deadline, wanted, visitor);
                        done.complete(null);
                    } catch (RuntimeException | Error failed) {
                        done.completeExceptionally(failed);
                    }
                },
                "nixlkv-list");
        thread.setDaemon(true);
        thread.start();
        await(done, patience, wanted);
    }

    private void visitRoots(String prefix, long deadline, AtomicBoolean wanted, KeyVisitor visitor) {
        for (int root = 0; root < backend.roots() && wanted.get(); root++) {
            backend.list(root, prefix, deadline, (name, length, lastUse) -> {
                Optional<KvKey> key = spec.layout().parseName(name);
                if (wanted.get() && key.isPresent() && !visitor.visit(key.get(), length, lastUse)) {
                    wanted.set(false);
                }
                return wanted.get();
            });
        }
    }

    private void await(CompletableFuture<Void> done, Duration patience, AtomicBoolean wanted) {
        boolean interrupted = false;
        long end = System.nanoTime() + patience.toNanos() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        try {
            while (true) {
                try {
                    done.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException late) {
            wanted.set(false);
            throw new StorageException(
                    Status.TIMED_OUT,
                    "listing " + spec.name() + " did not end within " + patience.toMillis() + " ms",
                    late);
        } catch (java.util.concurrent.ExecutionException failed) {
            if (failed.getCause() instanceof StorageException refused) {
                throw refused;
            }
            throw new CompletionException(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
