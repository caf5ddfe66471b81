package io.nixlkv.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.config.ConfigException;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of docs/stores.md, and what each mode promises, on real files. */
@Timeout(120)
class StoreModesIT {
    private static final ConditionFactory EVENTUALLY = await().pollInSameThread()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(Duration.ofSeconds(30));

    private static final int BYTES = 64 << 10;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();

    @AfterEach
    void close() {
        host.close();
    }

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        Matcher blocks = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/stores.md")));
        while (blocks.find()) {
            if (blocks.group(1).contains("[store]")) {
                examples.add(blocks.group(1));
            }
        }
        assertEquals(7, examples.size());
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleOfTheDocumentStoresAndLoads(String example) {
        HostConfig config = HostConfig.parse(example.replace("/data/", directory + "/"), "example.toml", Map.of());
        assertEquals(List.of(), config.warnings());
        List<KvKey> keys = new ArrayList<>();
        try (KvStore store = host.host().open(config);
                ArenaLease lease = store.arena().lease(4 * BYTES, Duration.ofSeconds(1))) {
            assertEquals(
                    example.contains("pool_size") ? "static_pool" : "dynamic",
                    store.status().type());
            List<KvObject> objects = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                keys.add(store.key("org/model@00000000@0@00" + i + i));
                objects.add(new KvObject(keys.get(i), lease.slice(i * BYTES, BYTES)));
                for (int at = 0; at < BYTES; at++) {
                    lease.buffer().put(i * BYTES + at, (byte) (i + 1));
                }
            }
            assertTrue(store.store(objects, CallOptions.DEFAULT).allOk());
            assertEquals(4, store.lookup(keys, CallOptions.DEFAULT, BYTES).leadingOk());
            lease.buffer().put(new byte[4 * BYTES]);
            assertTrue(store.load(objects, CallOptions.DEFAULT).allOk());
            for (int i = 0; i < 4; i++) {
                assertEquals(i + 1, lease.buffer().get(i * BYTES + BYTES - 1));
            }
            assertTrue(store.delete(keys.subList(0, 1), CallOptions.DEFAULT).allOk());
        }
        try (KvStore store = host.host().open(config)) {
            assertEquals(3, store.lookup(keys, CallOptions.DEFAULT).okCount(), "a restart finds what was stored");
        }
    }

    @Test
    void keysOfTheDynamicModeAreSaidToHaveNoEffectInAPool() {
        Logger logger = Logger.getLogger("io.nixlkv.host.StoreOpening");
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord record) {
                lines.add(record.getLevel() + " " + record.getMessage());
            }
        };
        logger.addHandler(handler);
        try (KvStore kv = host.posix(
                directory.toString(),
                false,
                "pool_size = 2\nslot_bytes = 4096\npresence_cache = true\npresence_cache_only = true\nasync_put = true")) {
            assertEquals("static_pool", kv.status().type());
        } finally {
            logger.removeHandler(handler);
        }
        assertEquals(
                1,
                Collections.frequency(
                        lines,
                        "INFO presence_cache, presence_cache_only and async_put have no effect in a static pool"),
                lines::toString);
    }

    @Test
    void byGpuUsesOnePathOnly() throws IOException {
        String paths = directory.resolve("a") + "," + directory.resolve("b") + "," + directory.resolve("c");
        try (KvStore store =
                host.posix(paths, false, "layout = \"raw\"\npath_sharding = \"by_gpu\"\nlocal_worker_id = 4")) {
            for (int i = 0; i < 20; i++) {
                assertTrue(store.store(store.key("k" + i), ByteBuffer.allocate(100), CallOptions.DEFAULT)
                        .ok());
            }
        }
        assertEquals(20, objects(directory.resolve("b")));
        assertFalse(Files.exists(directory.resolve("a")) && objects(directory.resolve("a")) > 0);
        assertFalse(Files.exists(directory.resolve("c")) && objects(directory.resolve("c")) > 0);
    }

    private static long objects(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void theWorkersNumberMayComeFromTheEnvironment() {
        HostConfig config =
                HostConfig.parse("[store]\npath_sharding = \"by_gpu\"\n", "c.toml", Map.of("LOCAL_RANK", "3"));
        assertEquals(3, config.modes().localWorkerId());
    }

    @Test
    void rulesHaveTheirMessages() {
        refused("presence_cache_only = true", "requires presence_cache = true");
        refused("pool_size = 8", "a static pool needs slot_bytes");
        refused("endpoint_list = [\"node-0:9021\"]", "must begin with http:// or https://");
        refused("pool_layout = \"rows\"\npool_size = 8\nslot_bytes = 64", "must be one of slab");
        refused("trigger_watermark = 0", "must be above 0 and at most 1");
    }

    private void refused(String store, String message) {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> host.posix(directory.toString(), false, store));
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
    }

    @Test
    void theCapacityHoldsUnderLoadAndAfterARestart() {
        String store = "layout = \"raw\"\nmax_capacity_gb = 0.015625\neviction = \"lru\"";
        long max = 16 << 20;
        try (KvStore kv = host.posix(directory.toString(), false, store)) {
            byte[] value = new byte[256 << 10];
            int refused = 0;
            long slowest = 0;
            for (int i = 0; i < 400; i++) {
                Arrays.fill(value, (byte) i);
                long start = System.nanoTime();
                Status status = kv.store(kv.key("k" + i), ByteBuffer.wrap(value), CallOptions.DEFAULT)
                        .status();
                slowest = Math.max(slowest, System.nanoTime() - start);
                refused += status == Status.NO_SPACE ? 1 : 0;
                assertTrue(status == Status.DONE || status == Status.NO_SPACE, status::toString);
                assertTrue((long) kv.status().details().get("used_bytes") <= max);
            }
            assertEquals(refused, (long) kv.status().details().get("capacity_refused_objects"));
            EVENTUALLY.until(() -> (long) kv.status().details().get("evicted_objects") > 0);
            List<KvKey> left = new ArrayList<>();
            EVENTUALLY.until(() -> kv.status().details().get("capacity_phase").equals("idle"));
            kv.list("", (key, length, lastUse) -> left.add(key));
            kv.lookup(left, CallOptions.DEFAULT);
            for (int i = 400; i < 500; i++) {
                kv.store(kv.key("k" + i), ByteBuffer.wrap(value), CallOptions.DEFAULT);
            }
            long kept = left.size();
            assertEquals(kept, kv.lookup(left, CallOptions.DEFAULT).okCount(), "looked up within the lease");
            assertTrue(slowest < TimeUnit.SECONDS.toNanos(10), "slowest " + slowest);
        }
        try (KvStore kv = host.posix(directory.toString(), false, store)) {
            EVENTUALLY.until(() -> kv.status().details().get("capacity_phase").equals("idle")
                    && (long) kv.status().details().get("used_bytes") > 0
                    && (long) kv.status().details().get("used_bytes") < max * 8 / 10);
            assertTrue(kv.store(kv.key("more"), ByteBuffer.allocate(100), CallOptions.DEFAULT)
                    .ok());
        }
    }
}
