package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.layout.Layout;
import io.nixlkv.host.layout.Layouts;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.host.presence.PresenceCache;
import io.nixlkv.host.presence.PresenceStore;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PresenceStoreTest {
    private final ScriptedBackend backend = new ScriptedBackend();
    private final AtomicInteger queries = new AtomicInteger();

    private PresenceStore open(boolean only) {
        backend.before(batch -> queries.addAndGet(batch.op() == Op.QUERY ? batch.size() : 0));
        DynamicStore store = Stores.open(backend, 2);
        Layout layout = Stores.spec(ScriptedBackend.offer(1), 1, false, LengthRule.EXACT)
                .layout();
        return new PresenceStore(
                store, new KeyDigests(layout), new PresenceCache(1 << 20), only, 0, length -> length, name -> {});
    }

    private static List<Status> statuses(BatchResult result) {
        return result.results().stream().map(ObjectResult::status).toList();
    }

    @Test
    void whatIsStoredLoadedOrFoundIsKnownFromThenOn() {
        backend.objects.put("0:there", new byte[5]);
        backend.objects.put("0:loaded", new byte[6]);
        List<KvKey> keys = List.of(new RawKey("o0"), new RawKey("there"), new RawKey("loaded"), new RawKey("absent"));
        try (PresenceStore store = open(false);
                ArenaLease lease = store.arena().lease(100, Duration.ZERO)) {
            store.store(Stores.objects(lease, 1, 10), CallOptions.DEFAULT);
            store.load(new RawKey("loaded"), ByteBuffer.allocate(6), CallOptions.DEFAULT);
            BatchResult first = store.lookup(keys, CallOptions.DEFAULT);
            assertEquals(List.of(Status.DONE, Status.DONE, Status.DONE, Status.MISSING), statuses(first));
            assertEquals(2, queries.get());
            BatchResult again = store.lookup(keys, CallOptions.DEFAULT, 10, 5, 6, 7);
            assertEquals(statuses(first), statuses(again));
            assertEquals(
                    List.of(10L, 5L, 6L, -1L),
                    again.results().stream().map(ObjectResult::storedLength).toList());
            assertEquals(3, queries.get(), "only the absent one is asked for again");
            assertEquals(3, store.lookupAsync(keys, CallOptions.DEFAULT).join().leadingOk());
            assertEquals(
                    Status.WRONG_SIZE,
                    store.lookup(keys, CallOptions.DEFAULT, 9).get(0).status());
            assertEquals(3L, store.status().details().get("presence_cache_keys"));
        }
    }

    @Test
    void whatSomebodyElseDeletedIsForgottenAtItsNextLoad() {
        List<RawKey> key = List.of(new RawKey("k"));
        try (PresenceStore store = open(false)) {
            store.store(key.get(0), ByteBuffer.allocate(8), CallOptions.DEFAULT);
            backend.objects.clear();
            assertEquals(
                    Status.DONE, store.lookup(key, CallOptions.DEFAULT).get(0).status());
            assertEquals(
                    Status.MISSING,
                    store.load(key.get(0), ByteBuffer.allocate(8), CallOptions.DEFAULT)
                            .status());
            assertEquals(
                    Status.MISSING,
                    store.lookup(key, CallOptions.DEFAULT).get(0).status());
            store.store(key.get(0), ByteBuffer.allocate(8), CallOptions.DEFAULT);
            assertTrue(store.delete(key, CallOptions.DEFAULT).allOk());
            assertEquals(
                    Status.MISSING,
                    store.lookup(key, CallOptions.DEFAULT).get(0).status());
        }
    }

    @Test
    void theCacheAloneNeverAsksTheStorage() {
        backend.objects.put("0:there", new byte[5]);
        List<RawKey> keys = List.of(new RawKey("there"), new RawKey("mine"));
        try (PresenceStore store = open(true)) {
            assertEquals(List.of(Status.MISSING, Status.MISSING), statuses(store.lookup(keys, CallOptions.DEFAULT)));
            store.store(keys.get(1), ByteBuffer.allocate(8), CallOptions.DEFAULT);
            assertEquals(List.of(Status.MISSING, Status.DONE), statuses(store.lookup(keys, CallOptions.DEFAULT)));
            assertEquals(
                    List.of(Status.MISSING, Status.WRONG_SIZE), statuses(store.lookup(keys, CallOptions.DEFAULT, 9)));
            assertEquals(0, queries.get());
            assertTrue(store.load(keys.get(0), ByteBuffer.allocate(5), CallOptions.DEFAULT)
                    .ok());
            assertEquals(List.of(Status.DONE, Status.DONE), statuses(store.lookup(keys, CallOptions.DEFAULT)));
        }
        try (PresenceStore restarted = open(true)) {
            assertEquals(0, restarted.lookup(keys, CallOptions.DEFAULT).okCount(), "empty after a restart");
        }
    }

    @Test
    void aReplacementChangesTheLengthAndAFailureChangesNothing() {
        RawKey key = new RawKey("k");
        CallOptions replace = CallOptions.DEFAULT.with(Mode.REPLACE);
        try (PresenceStore store = open(false)) {
            store.store(key, ByteBuffer.allocate(8), replace);
            store.store(key, ByteBuffer.allocate(3), replace);
            assertEquals(
                    3, store.lookup(List.of(key), CallOptions.DEFAULT).get(0).storedLength());
            backend.fail(Op.WRITE, "bad");
            store.store(new RawKey("bad"), ByteBuffer.allocate(3), replace);
            assertEquals(
                    Status.MISSING,
                    store.lookup(List.of(new RawKey("bad")), CallOptions.DEFAULT)
                            .get(0)
                            .status());
        }
    }

    @Test
    void misuseIsRefusedThoughNothingIsAskedOfTheStorage() {
        RawKey key = new RawKey("k");
        try (PresenceStore store = open(true)) {
            assertThrows(StorageException.class, () -> store.lookup(List.of(), CallOptions.DEFAULT));
            assertThrows(StorageException.class, () -> store.lookup(List.of(key, key), CallOptions.DEFAULT));
            assertThrows(StorageException.class, () -> store.lookup(List.of(key), CallOptions.DEFAULT, 1, 2));
            assertThrows(StorageException.class, () -> store.lookup(List.of(new RawKey("../x")), CallOptions.DEFAULT));
        }
    }

    @Test
    void aMillionKnownKeysAreLookedUpQuickly() {
        int count = 1_000_000;
        int batch = 256;
        Layout layout = Layouts.of(HostConfig.parse("[store]\nlayout = \"lmcache\"", "test", Map.of())
                .store());
        KeyDigests digests = new KeyDigests(layout);
        PresenceCache cache = new PresenceCache(1L << 30);
        List<List<KvKey>> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i % batch == 0) {
                batches.add(new ArrayList<>(batch));
            }
            KvKey key = new ObjectKey("org/model", 1, 0, String.format("%064x", i * 0x9e3779b97f4a7c15L));
            batches.get(batches.size() - 1).add(key);
            cache.add(digests.of(key), 1 << 18);
        }
        try (PresenceStore store =
                new PresenceStore(Stores.open(backend, 1), digests, cache, false, 0, length -> length, name -> {})) {
            double best = 0;
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            for (int round = 0; round < 6; round++) {
                long start = threads.getCurrentThreadCpuTime();
                int found = 0;
                for (List<KvKey> keys : batches) {
                    found += store.lookup(keys, CallOptions.DEFAULT).okCount();
                }
                best = Math.max(best, count * 1e9 / (threads.getCurrentThreadCpuTime() - start));
                assertEquals(count, found);
            }
            System.out.printf(
                    "lookups of %d known keys in batches of %d, one thread: %.2f million a second of CPU time%n",
                    count, batch, best / 1e6);
            assertTrue(best > 200_000, "far too slow: " + best + " lookups a second");
        }
        assertEquals(0, queries.get());
    }
}
