package io.nixlkv.host.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.local.LocalCache;
import io.nixlkv.host.local.LocalCacheStore;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers, writers and deleters of the same keys at once. Each key has one mutator, which numbers its operations, so that every load
 * can be judged: it must show a whole object, and none that an acknowledged operation had replaced or deleted before it began.
 */
@Timeout(60)
class LocalCacheRacesTest {
    private static final int MUTATORS = 3;
    private static final int READERS = 3;
    private static final int KEYS = 24;
    private static final int BYTES = 3000;
    private static final int UNIT = 4096;
    private static final int DELETES = 5;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final AtomicLongArray begun = new AtomicLongArray(KEYS);
    private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();
    private final long end = System.nanoTime() + NANOS;

    /** Operation number 0, with which every key begins, counts as a delete. */
    private static boolean isDelete(long operation) {
        return operation % DELETES == 0;
    }

    private static byte[] content(int key, long operation) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) (operation * 31 + key));
        ByteBuffer.wrap(bytes).putInt(key).putLong(operation);
        return bytes;
    }

    private void mutate(LocalCacheStore store, int me) {
        Random random = new Random(me);
        CallOptions replace = CallOptions.DEFAULT.with(Mode.REPLACE);
        while (System.nanoTime() < end && wrong.get() == null) {
            int key = me + MUTATORS * random.nextInt(KEYS / MUTATORS);
            RawKey name = new RawKey("k" + key);
            long operation = begun.incrementAndGet(key);
            if (isDelete(operation)) {
                store.delete(List.of(name), CallOptions.DEFAULT);
            } else if (random.nextBoolean()) {
                ByteBuffer value = ByteBuffer.wrap(content(key, operation));
                assertEquals(Status.DONE, store.store(name, value, replace).status());
            } else {
                try (ArenaLease lease = store.arena().lease(BYTES, Duration.ofSeconds(10))) {
                    lease.buffer().put(content(key, operation));
                    assertTrue(store.storeAsync(List.of(new KvObject(name, lease.slice())), replace)
                            .join()
                            .allOk());
                    lease.buffer().put(new byte[BYTES]);
                }
            }
            acknowledged.set(key, operation);
        }
    }

    private void read(LocalCacheStore store, int me) {
        Random random = new Random(100 + me);
        try (ArenaLease lease = store.arena().lease(BYTES, Duration.ofSeconds(10))) {
            byte[] seen = new byte[BYTES];
            while (System.nanoTime() < end && wrong.get() == null) {
                int key = random.nextInt(KEYS);
                RawKey name = new RawKey("k" + key);
                long floor = acknowledged.get(key);
                ObjectResult result;
                if (random.nextBoolean()) {
                    result = store.load(name, ByteBuffer.wrap(seen), CallOptions.DEFAULT);
                } else {
                    result = store.load(List.of(new KvObject(name, lease.slice())), CallOptions.DEFAULT)
                            .get(0);
                    lease.buffer().get(seen);
                }
                judge(key, floor, result, seen);
            }
        }
    }

    private void judge(int key, long floor, ObjectResult result, byte[] seen) {
        if (result.status() == Status.DONE) {
            long operation = ByteBuffer.wrap(seen).getLong(4);
            assertTrue(operation >= floor, () -> "k" + key + " shows " + operation + " after " + floor);
            assertTrue(Arrays.equals(content(key, operation), seen), () -> "k" + key + " is torn");
        } else {
            assertEquals(Status.MISSING, result.status(), result::toString);
            long last = begun.get(key);
            long delete = (floor + DELETES - 1) / DELETES * DELETES;
            assertTrue(delete <= last, () -> "k" + key + " is missing though " + floor + " to " + last + " stored it");
        }
    }

    @Test
    void noLoadShowsWhatWasReplacedOrDeletedBefore() throws InterruptedException {
        DynamicStore dynamic = Stores.open(new ScriptedBackend(), 4);
        LocalCache cache = new LocalCache(dynamic.arena(), UNIT, KEYS / 2 * UNIT);
        dynamic.reclaimFrom(cache::giveBack);
        KeyDigests digests = new KeyDigests(Stores.spec(ScriptedBackend.offer(1), 1, false, LengthRule.EXACT)
                .layout());
        try (LocalCacheStore store =
                new LocalCacheStore(dynamic, digests, cache, Mode.REPLACE, 0, length -> length, (key, name) -> {})) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < MUTATORS + READERS; i++) {
                int me = i;
                threads.add(new Thread(() -> {
                    try {
                        if (me < MUTATORS) {
                            mutate(store, me);
                        } else {
                            read(store, me);
                        }
                    } catch (Throwable failed) {
                        wrong.compareAndSet(null, failed);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            if (wrong.get() != null) {
                throw new AssertionError(wrong.get());
            }
            Map<String, Object> details = store.status().details();
            assertTrue((long) details.get("local_cpu_hits") > 100, details::toString);
            assertTrue((long) details.get("local_cpu_evicted") > 100, details::toString);
            assertTrue((long) details.get("local_cpu_bytes") <= KEYS / 2 * UNIT, details::toString);
            assertEquals(
                    Stores.ARENA - (long) details.get("local_cpu_bytes"),
                    store.arena().freeBytes(),
                    "nothing else is leased");
        }
        assertEquals(Stores.ARENA, dynamic.arena().freeBytes());
    }
}
