package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.management.ThreadMXBean;
import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.spi.StorageException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call of a store allocates on the Java heap, on the caller's thread and on all others. */
class KvStoreAllocationTest {
    private static final int OBJECTS = 128;
    private static final int BYTES = 4096;
    private static final int ROUNDS = 10;
    /** Rounds whose classes are loaded and whose buffers grow. */
    private static final int FIRST = 10;

    private static final long MOST_PER_OBJECT = 600;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"threads", "uring", "aio", "posix_aio"})
    void atMostSixHundredBytesForAnObject(String engine) {
        try (KvStore store = open(engine);
                ArenaLease lease = store.arena().lease(OBJECTS * BYTES, Duration.ZERO)) {
            List<List<KvObject>> batches = new ArrayList<>();
            List<List<KvKey>> keys = new ArrayList<>();
            for (int round = 0; round < FIRST + ROUNDS; round++) {
                batches.add(batch(round, lease));
                keys.add(batches.get(round).stream().map(KvObject::key).toList());
            }
            check(engine + " store", round -> store.store(batches.get(round), CallOptions.DEFAULT));
            check(engine + " load", round -> store.load(batches.get(round), CallOptions.DEFAULT));
            check(engine + " lookup", round -> store.lookup(keys.get(round), CallOptions.DEFAULT));
        }
    }

    private KvStore open(String engine) {
        try {
            return StoreFactory.host()
                    .open(directory, new Setting(new Workload(OBJECTS, BYTES), IoMode.BUFFERED), engine, false);
        } catch (StorageException unusable) {
            return abort("engine " + engine + " does not work here: " + unusable.getMessage());
        }
    }

    private static List<KvObject> batch(long round, ArenaLease lease) {
        List<KvObject> objects = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            String hash = HexFormat.of().toHexDigits(round) + HexFormat.of().toHexDigits((long) i);
            objects.add(new KvObject(new ObjectKey("org/model", 0, 0, hash), lease.slice(i * BYTES, BYTES)));
        }
        return objects;
    }

    private static void check(String what, IntFunction<BatchResult> call) {
        for (int round = 0; round < FIRST; round++) {
            assertTrue(call.apply(round).allOk(), what);
        }
        long before = allocated();
        for (int round = FIRST; round < FIRST + ROUNDS; round++) {
            call.apply(round);
        }
        long perObject = (allocated() - before) / (ROUNDS * OBJECTS);
        assertTrue(perObject <= MOST_PER_OBJECT, what + " allocates " + perObject + " bytes for each object");
        assertTrue(perObject > 0, what + " was not counted");
    }

    /** By every live thread; those of a store live as long as it. */
    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
