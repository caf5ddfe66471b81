package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCache;
import io.nixlkv.api.hicache.HiCacheIdentity;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.host.layer.ForwardingStore;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transfer of more pages than one part has. */
@Timeout(60)
class HiCachePartsTest {
    private static final int PAGES = 200;

    private static final class ClosedBetween extends ForwardingStore {
        private final CompletableFuture<BatchResult> first = new CompletableFuture<>();
        private final CompletableFuture<Void> refused = new CompletableFuture<>();
        private int calls;
        private int objects;

        ClosedBetween(KvStore inner) {
            super(inner);
        }

        @Override
        protected void describe(Map<String, Object> details) {}

        @Override
        public CompletableFuture<BatchResult> loadAsync(List<KvObject> wanted, CallOptions options) {
            if (calls++ == 0) {
                objects = wanted.size();
                return first;
            }
            refused.complete(null);
            throw new StorageException(Status.UNAVAILABLE, "the store is closed");
        }
    }

    private static DynamicStore open() {
        StoreSpec spec = new StoreSpec(
                "TEST",
                "memory",
                ScriptedBackend.offer(100),
                Layouts.of(HostConfig.parse("[store]\nlayout = \"hicache\"", "test", Map.of())
                        .store()),
                LengthRule.EXACT,
                2,
                4096,
                Duration.ofSeconds(20),
                Mode.CREATE,
                Atomicity.PER_OBJECT,
                false,
                false,
                0,
                Map.of("layout", "hicache"));
        return new DynamicStore(spec, new ScriptedBackend(), new DirectArena(PAGES * 2 * 4096));
    }

    @Test
    void isNotOverWhileAPartStillLoadsIntoItsPages() throws Exception {
        try (ClosedBetween store = new ClosedBetween(open());
                HiCache view = HiCacheView.over(store, HiCacheIdentity.of("m"), HiCacheOptions.DEFAULT);
                ArenaPool pool = ArenaPool.lease(store.arena(), "page_first", PAGES, 4096, 4096);
                PoolRegistration registration = view.register(pool)) {
            assertTrue(registration.zeroCopy());
            List<String> hashes = IntStream.range(0, PAGES)
                    .mapToObj(i -> "%064x".formatted(i))
                    .toList();
            CompletableFuture<BatchResult> call = CompletableFuture.supplyAsync(
                    () -> view.batchGetV1(hashes, IntStream.range(0, PAGES).toArray()),
                    task -> new Thread(task).start());
            store.refused.join();
            Thread.sleep(200);
            assertFalse(call.isDone(), "the first part still loads");
            store.first.complete(
                    new BatchResult(Collections.nCopies(store.objects, new ObjectResult(Status.DONE, 4096, ""))));
            CompletionException failed = assertThrows(CompletionException.class, call::join);
            assertEquals(
                    Status.UNAVAILABLE,
                    assertInstanceOf(StorageException.class, failed.getCause()).status());
        }
    }
}
