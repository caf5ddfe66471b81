package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvObject;
import io.nixlkv.api.KvSlice;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.host.DeviceArena;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.hicache.HiCacheView;
import io.nixlkv.nativeio.CudaDevice;
import io.nixlkv.nativeio.CudaLibrary;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Stores whose arena is memory of a GPU, through the packed jars, on stand-ins for CUDA's driver and NIXL: a processor that follows one
 * of its addresses is killed, so a test that passes has not done so.
 */
@NeedsStandIn
@Timeout(120)
class DeviceMemoryIT {
    private static final int ARENA = 1 << 20;
    private static final int LENGTH = 10_000;

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();
    private final String nixlBefore = System.getProperty(NixlSearch.PROPERTY);
    private final String cudaBefore = System.getProperty(CudaLibrary.PROPERTY);

    @BeforeEach
    void useStandIns() {
        StandIn.named("gpu").use();
    }

    @AfterEach
    void restore() {
        host.close();
        restore(NixlSearch.PROPERTY, nixlBefore);
        restore(CudaLibrary.PROPERTY, cudaBefore);
    }

    private static void restore(String property, String before) {
        if (before == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, before);
        }
    }

    private HostConfig lmcache(String device, String more) {
        String yaml = """
                nixl_buffer_device: %s
                nixl_buffer_size: %d
                extra_config:
                  enable_nixl_storage: true
                  nixl_backend: GDS
                  nixl_path: %s
                %s
                """.formatted(device, ARENA, directory, more.indent(2));
        return HostConfig.parse(yaml, "lmcache.yaml", Map.of());
    }

    private HostConfig toml(String store) {
        String toml = """
                [store]
                layout = "raw"
                num_workers = 2
                %s
                [plugin.gds_mt]
                active = true
                file_path = "%s"
                """.formatted(store, directory);
        return HostConfig.parse(toml, "gpu.toml", Map.of());
    }

    private static long free(int gpu) {
        try (CudaDevice device = CudaLibrary.open().device(gpu)) {
            return device.freeBytes();
        }
    }

    private static byte[] pattern(int seed) {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bytes[i] = (byte) (i * 31 + seed);
        }
        return bytes;
    }

    private static List<KvObject> objects(ArenaLease lease, List<KvKey> keys) {
        List<KvObject> objects = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            objects.add(new KvObject(keys.get(i), lease.slice(i * LENGTH, LENGTH)));
        }
        return objects;
    }

    /** Stores from one lease and loads into another. */
    private static void batches(KvStore store, List<KvKey> keys) {
        try (ArenaLease from = store.arena().lease(keys.size() * LENGTH, Duration.ZERO);
                ArenaLease to = store.arena().lease(keys.size() * LENGTH, Duration.ZERO)) {
            for (int i = 0; i < keys.size(); i++) {
                from.copyIn(i * LENGTH, ByteBuffer.wrap(pattern(i)));
            }
            BatchResult stored = store.store(objects(from, keys), CallOptions.DEFAULT);
            assertTrue(stored.allOk(), stored::toString);
            BatchResult loaded = store.load(objects(to, keys), CallOptions.DEFAULT);
            assertTrue(loaded.allOk(), loaded::toString);
            for (int i = 0; i < keys.size(); i++) {
                byte[] found = new byte[LENGTH];
                to.copyOut(i * LENGTH, ByteBuffer.wrap(found));
                assertArrayEquals(pattern(i), found);
            }
        }
    }

    private static void singles(KvStore store, KvKey key) {
        ByteBuffer direct = ByteBuffer.allocateDirect(LENGTH).put(pattern(77)).flip();
        assertTrue(store.store(key, direct, CallOptions.DEFAULT).ok());
        ByteBuffer heap = ByteBuffer.allocate(LENGTH);
        assertTrue(store.load(key, heap, CallOptions.DEFAULT).ok());
        assertArrayEquals(pattern(77), heap.array());
        assertEquals(
                Status.WRONG_SIZE,
                store.load(key, ByteBuffer.allocate(LENGTH / 2), CallOptions.DEFAULT)
                        .status());
    }

    private static List<KvKey> keys(KvStore store, int count) {
        List<KvKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(store.key("org/model@1@0@00" + i + i + "@half"));
        }
        return keys;
    }

    @Test
    void anLmcacheFileStoresAndLoadsInMemoryOfItsGpuAndGivesItBack() {
        long before = free(1);
        try (KvStore store = host.host().open(lmcache("cuda:1", "nixl_pool_size: 0"))) {
            assertEquals("nixl", store.status().engine());
            assertEquals("cuda:1", store.status().details().get("buffer_device"));
            assertEquals(Segment.VRAM_SEG, store.arena().kind());
            assertTrue(before - free(1) >= ARENA, "the arena is on GPU 1");
            List<KvKey> keys = keys(store, 9);
            batches(store, keys.subList(0, 8));
            singles(store, keys.get(8));
            try (ArenaLease lease = store.arena().lease(4096, Duration.ZERO)) {
                StorageException noView = assertThrows(StorageException.class, lease::buffer);
                assertEquals(Status.UNSUPPORTED, noView.status());
                assertTrue(noView.getMessage().contains("copy with copyIn and copyOut"), noView.getMessage());
                assertThrows(IndexOutOfBoundsException.class, () -> lease.copyIn(1, ByteBuffer.allocate(4096)));
            }
        }
        assertEquals(before, free(1));
        try (KvStore store = host.host().open(lmcache("cuda", "nixl_pool_size: 0"))) {
            assertEquals(
                    9, store.lookup(keys(store, 9), CallOptions.DEFAULT, LENGTH).okCount());
        }
    }

    @Test
    void asynchronousPutsAreCopiedOnTheGpu() {
        long before = free(0);
        try (KvStore store = host.host().open(lmcache("cuda", "nixl_pool_size: 0\nnixl_async_put: true"))) {
            batches(store, keys(store, 8));
            KvKey key = store.key("org/model@1@0@abcd@half");
            ByteBuffer found = ByteBuffer.allocate(LENGTH);
            assertTrue(store.store(key, ByteBuffer.wrap(pattern(1)), CallOptions.DEFAULT)
                    .ok());
            assertTrue(store.load(key, found, CallOptions.DEFAULT).ok());
            assertArrayEquals(pattern(1), found.array());
        }
        assertEquals(before, free(0));
        try (KvStore store = host.host().open(lmcache("cuda", "nixl_pool_size: 0"))) {
            assertEquals(
                    8, store.lookup(keys(store, 8), CallOptions.DEFAULT, LENGTH).okCount());
        }
    }

    @Test
    void aStaticPoolLivesInItToo() {
        HostConfig config = lmcache("cuda:0", "nixl_pool_size: 8\nslot_bytes: " + LENGTH);
        try (KvStore store = host.host().open(config)) {
            batches(store, keys(store, 8));
        }
        try (KvStore store = host.host().open(config)) {
            assertEquals(
                    8, store.lookup(keys(store, 8), CallOptions.DEFAULT, LENGTH).okCount());
            singles(store, keys(store, 9).get(8));
        }
    }

    /** Padding is the one thing that a store writes into an arena by itself. */
    @Test
    void ourOwnFileTakesItWithPadding() throws Exception {
        HostConfig config = HostConfig.parse("""
                use_direct_io = true
                [store]
                layout = "lmcache"
                buffer_device = "cuda:1"
                buffer_bytes = "1MiB"
                l1_align_bytes = 4096
                atomicity = "all_or_nothing"
                [plugin.gds]
                active = true
                file_path = "%s"
                """.formatted(directory), "gpu.toml", Map.of());
        try (KvStore store = host.host().open(config);
                ArenaLease all = store.arena().lease(ARENA / 2, Duration.ZERO)) {
            byte[] dirt = new byte[ARENA / 2];
            java.util.Arrays.fill(dirt, (byte) 0x5a);
            all.copyIn(0, ByteBuffer.wrap(dirt));
            KvKey key = store.key("org/model@00000000@0@0011");
            all.copyIn(0, ByteBuffer.wrap(pattern(3)));
            assertTrue(store.store(List.of(new KvObject(key, all.slice(0, LENGTH))), CallOptions.DEFAULT)
                    .allOk());
            Path file;
            try (var files = Files.walk(directory)) {
                file = files.filter(each -> each.toString().endsWith(".data"))
                        .findFirst()
                        .orElseThrow();
            }
            byte[] stored = Files.readAllBytes(file);
            assertEquals(12_288, stored.length);
            assertArrayEquals(pattern(3), java.util.Arrays.copyOf(stored, LENGTH));
            assertArrayEquals(new byte[12_288 - LENGTH], java.util.Arrays.copyOfRange(stored, LENGTH, 12_288));
            singles(store, store.key("org/model@00000000@0@0022"));
        }
    }

    @Test
    void anApplicationsOwnMemoryIsTransferredWhereItIs() {
        try (DeviceArena engine = DeviceArena.allocate(1, ARENA)) {
            long pages = engine.address(0);
            long before = free(1);
            try (DeviceArena arena = DeviceArena.of(1, pages, ARENA);
                    KvStore store = host.host().open(toml(""), arena)) {
                assertEquals("cuda:1", store.status().details().get("buffer_device"));
                engine.copyIn(0, 5 * 4096, ByteBuffer.wrap(pattern(5)));
                KvSlice page = store.arena().slice(pages + 5 * 4096, LENGTH);
                KvSlice other = store.arena().slice(pages + 100 * 4096, LENGTH);
                KvKey key = store.key("page");
                assertTrue(store.store(List.of(new KvObject(key, page)), CallOptions.DEFAULT)
                        .allOk());
                assertTrue(store.load(List.of(new KvObject(key, other)), CallOptions.DEFAULT)
                        .allOk());
                byte[] found = new byte[LENGTH];
                engine.copyOut(0, 100 * 4096, ByteBuffer.wrap(found));
                assertArrayEquals(pattern(5), found);
            }
            assertEquals(before, free(1), "the engine's memory is the engine's");
            engine.clear(0, 0, ARENA);
        }
    }

    @Test
    void whatIsNoMemoryOfThatGpuIsRefused() {
        try (DeviceArena engine = DeviceArena.allocate(1, ARENA)) {
            long start = engine.address(0);
            refused(Status.INVALID, "starts at a multiple of 4096", () -> DeviceArena.of(1, start + 512, 4096));
            refused(Status.INVALID, "not inside one allocation", () -> DeviceArena.of(1, start, ARENA + (1 << 20)));
            refused(Status.INVALID, "are on GPU 1, not on GPU 0", () -> DeviceArena.of(0, start, 4096));
            refused(Status.INVALID, "are no memory of a GPU", () -> DeviceArena.of(0, 4096, 4096));
            MemoryArena hosts = new DirectArena(ARENA);
            HostConfig gpu = toml("buffer_device = \"cuda\"\nbuffer_bytes = 1048576");
            refused(
                    Status.INVALID,
                    "the given arena is host memory; give a DeviceArena",
                    () -> host.host().open(gpu, hosts));
        }
        DeviceArena closed = DeviceArena.allocate(0, 4096);
        closed.close();
        refused(Status.FAILED, "is released", () -> closed.copyIn(0, 0, ByteBuffer.allocate(16)));
    }

    private static void refused(Status status, String why, Executable call) {
        StorageException refused = assertThrows(StorageException.class, call);
        assertEquals(status, refused.status(), refused.getMessage());
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cuda:5 | devices 2   | UNAVAILABLE | GPU 5 does not exist: CUDA sees 2 GPUs here, numbered from 0",
                "cuda:1 | devices 1   | UNAVAILABLE | GPU 1 does not exist: CUDA sees 1 GPU here",
                "cuda   | init 100    | UNAVAILABLE | CUDA's cuInit answered CUDA_ERROR_NO_DEVICE (100); check with nvidia-smi",
                "cuda   | memory 5000 | NO_SPACE | CUDA_ERROR_OUT_OF_MEMORY (2), 5000 of 5000 bytes are free; make buffer_bytes (nixl_buffer_size) smaller",
                "cuda   | refuse GDS  | UNAVAILABLE | NIXL's create_backend answered -2"
            })
    void whatTheMachineLacksIsNamed(String device, String hazard, Status status, String why) {
        StandIn.named("gpu-" + hazard.replace(' ', '-'), hazard).use();
        refused(status, why, () -> host.host().open(lmcache(device, "nixl_pool_size: 0")));
    }

    @Test
    void aMissingDriverIsNamedWithTheLoadersWords() {
        System.setProperty(
                CudaLibrary.PROPERTY, directory.resolve("libcuda.so.1").toString());
        HostConfig config = lmcache("cuda", "nixl_pool_size: 0");
        refused(
                Status.UNAVAILABLE,
                "memory of a GPU needs CUDA's driver library libcuda.so.1, and it cannot be loaded: " + directory
                        + "/libcuda.so.1: cannot open shared object file: No such file or directory; install NVIDIA's driver",
                () -> host.host().open(config));
    }

    @Test
    void anEngineThatDoesNotReachItIsRefused() {
        HostConfig config =
                PackedHost.config(directory.toString(), false, "buffer_device = \"cuda\"\nbuffer_bytes = 4096");
        String message = assertThrows(RuntimeException.class, () -> host.host().open(config))
                .getMessage();
        assertTrue(
                message.contains(
                        "it does not report VRAM_SEG, which buffer_device = \"cuda:0\" needs; memory of a GPU is for engine nixl"),
                message);
    }

    @Test
    void aHicacheViewTakesHostMemoryOnly() {
        HostConfig config =
                toml("buffer_device = \"cuda\"\nbuffer_bytes = 1048576").withCall("store.layout", "hicache");
        try (KvStore store = host.host().open(config)) {
            refused(
                    Status.UNSUPPORTED,
                    "takes host memory only",
                    () -> HiCacheView.over(store, HiCacheRig.MHA, HiCacheOptions.DEFAULT));
        }
    }

    /** NIXL's plugin for objects on the stand-in, adopted, since OBJ itself asks a real store first. */
    @Test
    void objectsOfAPluginThatReportsItAreTransferredFromAndToIt() throws Exception {
        HostConfig config = HostConfig.parse("""
                [store]
                layout = "raw"
                write_mode = "replace"
                buffer_device = "cuda:1"
                buffer_bytes = "1MiB"
                [plugin.nixl]
                active = true
                engine = "obj"
                parameters = "device_name=%s, query_mem_mode=actual"
                """.formatted(directory), "gpu.toml", Map.of());
        try (KvStore store = host.host().open(config)) {
            List<KvKey> keys = List.of(store.key("a"), store.key("b"), store.key("c"));
            batches(store, keys);
            assertArrayEquals(pattern(1), Files.readAllBytes(directory.resolve("b")));
            Files.write(directory.resolve("c"), new byte[LENGTH - 1]);
            ByteBuffer target = ByteBuffer.allocate(LENGTH);
            assertEquals(
                    Status.WRONG_SIZE,
                    store.load(keys.get(2), target, CallOptions.DEFAULT).status());
            assertEquals(
                    Status.MISSING,
                    store.load(store.key("none"), target, CallOptions.DEFAULT).status());
        }
    }
}
