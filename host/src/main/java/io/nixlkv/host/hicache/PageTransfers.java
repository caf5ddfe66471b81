package io.nixlkv.host.hicache;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Moves the pages of a batch between a registered pool and the store, in parts, two of which run at once. */
final class PageTransfers {
    /** Pages of a part: the most that SGLang's controller asks for at once. */
    private static final int PART = 128;

    private static final int PARTS_AT_ONCE = 2;

    private final ViewCalls calls;

    PageTransfers(ViewCalls calls) {
        this.calls = calls;
    }

    private record Running(StorageRegistration storage, CompletableFuture<BatchResult> results) {}

    BatchResult run(Direction direction, HostRegistration host, List<String> hashes, int[] pages) {
        requireRight(host, hashes, pages);
        long deadline = calls.deadline();
        List<ObjectResult> results = new ArrayList<>(hashes.size());
        List<ObjectResult> untried = List.of();
        Deque<Running> running = new ArrayDeque<>(PARTS_AT_ONCE);
        int next = 0;
        try {
            while (next < hashes.size() || !running.isEmpty()) {
                Optional<StorageRegistration> part = Optional.empty();
                if (next < hashes.size() && running.size() < PARTS_AT_ONCE) {
                    // who holds bounce memory does not wait for more: others may wait for his
                    long patience = running.isEmpty() ? deadline : System.nanoTime();
                    try {
                        part = host.storage(
                                direction, hashes, pages, next, Math.min(PART, hashes.size() - next), patience);
                    } catch (StorageException closed) {
                        if (next == 0 || closed.status() != Status.UNAVAILABLE) {
                            throw closed;
                        }
                        untried = PageResults.all(hashes.size() - next, closed.status(), closed.getMessage());
                        next = hashes.size();
                    }
                }
                if (part.isPresent()) {
                    next += part.get().pageCount();
                    running.add(start(direction, part.get(), next == hashes.size() && running.isEmpty(), deadline));
                } else if (!running.isEmpty()) {
                    results.addAll(finish(direction, running.remove()));
                } else if (next < hashes.size()) {
                    untried = PageResults.all(hashes.size() - next, Status.NO_SPACE, noBounceMemory(host));
                    next = hashes.size();
                }
            }
            results.addAll(untried);
            return new BatchResult(results);
        } finally {
            running.forEach(PageTransfers::abandon);
        }
    }

    /** The pages of a part are the caller's again only when it has ended, which its deadline sees to. */
    private static void abandon(Running part) {
        part.results()
                .handle((done, failed) -> {
                    try (StorageRegistration storage = part.storage()) {
                        return done == null ? List.of() : storage.pageResults(done);
                    }
                })
                .join();
    }

    private String noBounceMemory(HostRegistration host) {
        return "no bounce memory of pool " + host.names() + " became free within "
                + calls.patience().toMillis() + " ms; ask for more bounce pages, or transfer less at once";
    }

    private static void requireRight(HostRegistration host, List<String> hashes, int[] pages) {
        ViewCalls.requireFit(hashes, pages.length, "pages");
        for (int i = 0; i < pages.length; i++) {
            host.names().of(hashes.get(i));
            if (pages[i] < 0 || pages[i] >= host.pool().pages()) {
                throw new StorageException(
                        Status.INVALID,
                        "page number " + pages[i] + " of " + hashes.get(i) + " is not in the pool of "
                                + host.pool().pages() + " pages");
            }
        }
    }

    /** @param alone whether there is nothing else to do meanwhile, which saves a change of threads */
    private Running start(Direction direction, StorageRegistration storage, boolean alone, long deadline) {
        List<KvObject> objects = storage.objects();
        CallOptions options = ViewCalls.within(deadline);
        try {
            if (alone) {
                BatchResult result = direction == Direction.STORE
                        ? calls.store().store(objects, options)
                        : calls.store().load(objects, options);
                return new Running(storage, CompletableFuture.completedFuture(result));
            }
            return new Running(
                    storage,
                    direction == Direction.STORE
                            ? calls.store().storeAsync(objects, options)
                            : calls.store().loadAsync(objects, options));
        } catch (RuntimeException refused) {
            storage.close();
            throw refused;
        }
    }

    private static List<ObjectResult> finish(Direction direction, Running part) {
        try (StorageRegistration storage = part.storage()) {
            List<ObjectResult> results = storage.pageResults(part.results().join());
            if (direction == Direction.LOAD) {
                storage.copyIn(results);
            }
            return results;
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof StorageException misuse) {
                throw misuse;
            }
            throw failed;
        }
    }
}
