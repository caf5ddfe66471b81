package io.nixlkv.benchmarks.jmh;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.ObjectKey;
import io.nixlkv.host.KvHost;
import io.nixlkv.host.config.HostConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Batches of {@value #OBJECTS} small objects through {@link KvStore}: time and, with {@code -prof gc}, allocated bytes, both for one
 * object. Replaces what is there, buffered, so that the bytes themselves cost next to nothing. The files lie in the directory of
 * the property {@code java.io.tmpdir}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(KvStoreBenchmark.OBJECTS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class KvStoreBenchmark {
    static final int OBJECTS = 128;
    private static final int BYTES = 4096;

    /** Engine of strategy POSIX. */
    @Param({"threads", "uring", "nio"})
    public String engine;

    private Path directory;
    private KvHost host;
    private KvStore store;
    private ArenaLease lease;
    private List<KvObject> objects;
    private List<KvKey> keys;

    /** Opens a store and stores the batch once. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        directory = Files.createTempDirectory("nixlkv-jmh");
        host = KvHost.start(Path.of("plugins-on-the-class-path"));
        store = host.open(HostConfig.parse("""
            use_direct_io = false
            [store]
            layout = "lmcache"
            write_mode = "replace"
            arena_gb = 0.01
            [plugin.posix]
            active = true
            engine = "%s"
            file_path = "%s"
            """.formatted(engine, directory), "benchmark", Map.of()));
        lease = store.arena().lease(OBJECTS * BYTES, Duration.ZERO);
        objects = new ArrayList<>();
        keys = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            KvKey key = new ObjectKey("org/model", 0, 0, HexFormat.of().toHexDigits((long) i));
            keys.add(key);
            objects.add(new KvObject(key, lease.slice(i * BYTES, BYTES)));
        }
        store();
    }

    /** Closes and removes everything. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        lease.close();
        host.close();
        List<Path> left;
        try (Stream<Path> walk = Files.walk(directory)) {
            left = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : left) {
            Files.delete(path);
        }
    }

    /** Stores a batch over itself. */
    @Benchmark
    public BatchResult store() {
        return whole(store.store(objects, CallOptions.DEFAULT));
    }

    /** Loads a batch. */
    @Benchmark
    public BatchResult load() {
        return whole(store.load(objects, CallOptions.DEFAULT));
    }

    /** Looks a batch up. */
    @Benchmark
    public BatchResult lookup() {
        return whole(store.lookup(keys, CallOptions.DEFAULT));
    }

    private static BatchResult whole(BatchResult result) {
        if (!result.allOk()) {
            throw new IllegalStateException(result.toString());
        }
        return result;
    }
}
