package io.nixlkv.it;

import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.api.RawKey;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stores, loads, deletes and lets evict, closes the store and opens it again, for some time. Every load is checked, and memory,
 * descriptors and threads must not grow.
 */
final class StoreSoak {
    /** More than the store holds, so that it evicts all the time. */
    private static final int KEYS = 400;

    private static final int WORKERS = 4;
    private static final int BYTES = 64 << 10;
    private static final CallOptions REPLACE = CallOptions.DEFAULT.with(Mode.REPLACE);

    /** Lines of {@code [store]} for the two modes; both hold about a quarter of the keys. */
    static final Map<String, String> MODES = Map.of(
            "dynamic",
            "max_capacity_gb = 0.008\neviction = \"lru\"\npresence_cache = true\nlocal_cpu = true\n",
            "static",
            "pool_size = 100\nslot_bytes = " + BYTES + "\nlocal_cpu = true\n");

    private final Path directory;
    private final String lines;
    private final Map<Integer, Long> versions = new ConcurrentHashMap<>();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong loaded = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /** @param directory an empty one */
    StoreSoak(Path directory, String mode) {
        this.directory = directory;
        lines = "layout = \"raw\"\nnum_workers = 3\n" + MODES.get(mode);
    }

    /**
     * @param round time between two restarts
     * @throws AssertionError with what was not as it must be
     */
    String run(Duration time, Duration round) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        FlatResources resources = new FlatResources();
        int restarts = 0;
        long evicted = 0;
        try (PackedHost host = new PackedHost()) {
            while (System.nanoTime() < end) {
                try (KvStore store = host.posix(directory.toString(), false, lines)) {
                    work(store, System.nanoTime() + round.toNanos(), restarts++);
                    Map<String, Object> details = store.status().details();
                    Object some = details.getOrDefault("evicted_objects", details.get("slots_evicted"));
                    evicted += ((Number) some).longValue();
                }
                resources.take();
            }
        }
        if (evicted == 0 || loaded.get() == 0) {
            throw new AssertionError("nothing was evicted or loaded");
        }
        return "stored " + stored + ", loaded " + loaded + ", refused " + refused + ", evicted " + evicted + ", opened "
                + restarts + " times; " + resources.requireFlat();
    }

    private void work(KvStore store, long end, int round) {
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            int me = worker;
            workers.add(CompletableFuture.runAsync(
                    () -> work(store, end, me, new Random(31L * round + me)), task -> new Thread(task).start()));
        }
        try {
            workers.forEach(CompletableFuture::join);
        } catch (CompletionException failed) {
            throw new AssertionError(failed.getCause());
        }
    }

    /** Every key belongs to one worker, which knows what it must hold, if it is there. */
    private void work(KvStore store, long end, int me, Random random) {
        while (System.nanoTime() < end) {
            int key = me + WORKERS * random.nextInt(KEYS / WORKERS);
            RawKey name = new RawKey("k" + key);
            switch (random.nextInt(8)) {
                case 0 -> store.delete(List.of(name), CallOptions.DEFAULT);
                case 1, 2, 3 -> put(store, name, key);
                default -> load(store, name, key);
            }
        }
    }

    private void put(KvStore store, RawKey name, int key) {
        long version = versions.getOrDefault(key, 0L) + 1;
        ObjectResult result = store.store(name, ByteBuffer.wrap(content(key, version)), REPLACE);
        if (result.status() == Status.NO_SPACE) {
            refused.incrementAndGet();
        } else if (result.status() != Status.DONE) {
            throw new AssertionError(result.toString());
        }
        versions.put(key, version);
        stored.incrementAndGet();
    }

    private void load(KvStore store, RawKey name, int key) {
        byte[] found = new byte[BYTES];
        ObjectResult result = store.load(name, ByteBuffer.wrap(found), CallOptions.DEFAULT);
        if (result.status() == Status.MISSING) {
            return;
        }
        if (result.status() != Status.DONE) {
            throw new AssertionError(result.toString());
        }
        long version = ByteBuffer.wrap(found).getLong(4);
        if (version > versions.getOrDefault(key, 0L) || !Arrays.equals(found, content(key, version))) {
            throw new AssertionError(name + " has the wrong bytes, of version " + version);
        }
        loaded.incrementAndGet();
    }

    private static byte[] content(int key, long version) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) (31 * version + key));
        ByteBuffer.wrap(bytes).putInt(key).putLong(version);
        return bytes;
    }
}
