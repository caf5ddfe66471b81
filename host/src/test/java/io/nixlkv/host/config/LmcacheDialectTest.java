package io.nixlkv.host.config;

import static io.nixlkv.host.config.DialectFiles.POSIX;
import static io.nixlkv.host.config.DialectFiles.file;
import static io.nixlkv.host.config.DialectFiles.known;
import static io.nixlkv.host.config.DialectFiles.problems;
import static io.nixlkv.host.config.DialectFiles.shown;
import static io.nixlkv.host.config.DialectFiles.warnings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LMCache's file with its NIXL keys: what is read, what is refused, and what comes later. */
class LmcacheDialectTest {
    @TempDir
    Path folder;

    /** A right file with {@code top} and {@code inside} added. */
    private static HostConfig with(String top, String inside) {
        String text =
                "save_unfull_chunk: false\n" + (top.contains("nixl_buffer_device") ? "" : "nixl_buffer_device: cpu\n")
                        + (top.isEmpty() ? "" : top.replace(" / ", "\n") + "\n")
                        + "extra_config:\n"
                        + (inside.contains("enable_nixl_storage") ? "" : "  enable_nixl_storage: true\n")
                        + (inside.contains("nixl_backend:") ? "" : "  nixl_backend: POSIX\n")
                        + (inside.contains("pool_size") ? "" : "  nixl_pool_size: 0\n")
                        + (inside.contains("nixl_path:") ? "" : "  nixl_path: /a\n")
                        + (inside.isEmpty() ? "" : "  " + inside.replace(" / ", "\n  ") + "\n");
        return HostConfig.parse(text, "lm.yaml", Map.of());
    }

    private static List<String> sentences(HostConfig config) {
        return config.validate(DialectFiles.ALL).stream()
                .map(problem -> problem.key() + ": " + problem.sentence())
                .toList();
    }

    @Test
    void aDynamicFileStore() {
        HostConfig config = file("lmcache-posix-dynamic.yaml");
        assertEquals(Dialect.LMCACHE, config.dialect());
        assertEquals(List.of(), problems(config));
        assertEquals(List.of(), warnings(config));
        StoreSettings store = config.store();
        assertEquals("lmcache-engine", store.layout());
        assertEquals(1L << 28, store.arenaBytes());
        assertFalse(store.useDirectIo());
        assertEquals(Atomicity.PER_OBJECT, store.atomicity());
        assertEquals("/srv/kv/dynamic", shown(config, POSIX, "file_path").text());
        assertEquals(
                "lmcache-posix-dynamic.yaml:10:3",
                shown(config, POSIX, "file_path").origin());
        assertEquals("true", shown(config, POSIX, "use_uring").text());
        assertEquals("false", shown(config, POSIX, "sync").text());
        assertEquals(
                List.of("chunk_size sizes the slots of a pool and has no effect with nixl_pool_size 0"),
                config.notes());
    }

    @Test
    void defaultsOfTheDialect() {
        HostConfig config = with("", "");
        assertEquals(List.of(), problems(config));
        assertEquals(5L << 30, config.store().arenaBytes());
        assertFalse(config.store().useDirectIo());
        assertTrue(with("", "use_direct_io: True").store().useDirectIo());
        assertFalse(with("", "use_direct_io: \"False\"").store().useDirectIo());
    }

    @Test
    void objectStores() {
        HostConfig obj = file("lmcache-obj-dynamic.yaml");
        assertEquals(List.of(), problems(obj));
        assertEquals(
                "https://s3.test:9100",
                shown(obj, known("OBJ"), "endpoint_override").text());
        HostConfig azure = file("lmcache-azure.yaml");
        assertEquals(List.of(), problems(azure));
        assertEquals("AZURE_BLOB", azure.plugins().get(0).name());
        HostConfig doca = file("lmcache-doca.yaml");
        assertEquals(List.of(), problems(doca));
        assertEquals("doca-memos", doca.store().layout());
    }

    private static final String NEEDS_SLOT_BYTES =
            "extra_config.nixl_pool_size: a static pool needs slot_bytes, the bytes of one slot: at least those of the"
                    + " longest object";

    /** Both spellings; the old one with a warning. */
    @Test
    void hugePagesAreTaken() {
        HostConfig pool = HostConfig.parse(
                DialectFiles.text("lmcache-pool.yaml") + "  slot_bytes: 4MiB\n", "lmcache-pool.yaml", Map.of());
        assertEquals(List.of(), problems(pool));
        assertTrue(pool.store().hugePages());
        HostConfig old = with("", "nixl_use_hugepages: true");
        assertEquals(List.of(), problems(old));
        assertTrue(old.store().hugePages());
        assertFalse(with("local_cpu_use_hugepages: false", "").store().hugePages());
    }

    @Test
    void poolsPresenceCacheAsynchronousPutsAndEndpointsAreRead() {
        assertEquals(
                List.of("lmcache-obj-pool.yaml:7:3: " + NEEDS_SLOT_BYTES), problems(file("lmcache-obj-pool.yaml")));
        HostConfig pool = with("", "nixl_pool_size: 32 / slot_bytes: 4MiB");
        assertEquals(List.of(), problems(pool));
        assertEquals(32, pool.store().poolSize());
        assertEquals(4 << 20, pool.modes().slotBytes());
        HostConfig known =
                with("", "nixl_presence_cache: true / nixl_presence_cache_only: true / nixl_async_put: true");
        assertEquals(List.of(), problems(known));
        assertTrue(known.modes().presenceCache());
        assertTrue(known.modes().presenceCacheOnly());
        assertTrue(known.modes().asyncPut());
        HostConfig paths = with("", "nixl_path: [/a, /b]");
        assertEquals(List.of(), problems(paths));
        assertTrue(paths.modes().byGpu());
    }

    @Test
    void whatHasNoEffectOrIsBetterKeptElsewhereIsSaid() {
        assertTrue(file("lmcache-obj-pool.yaml")
                .notes()
                .contains("nixl_path has no effect with backend OBJ, which keeps no files"));
        assertTrue(warnings(file("lmcache-obj-pool.yaml"))
                .contains("lmcache-obj-pool.yaml:11:5: extra_config.nixl_backend_params.secret_key: a secret in the"
                        + " configuration may be shown by tools; better give it by the environment, as"
                        + " AWS_SECRET_ACCESS_KEY"));
        HostConfig endpoints = file("lmcache-endpoints.yaml");
        assertEquals(List.of(), problems(endpoints));
        assertEquals(
                List.of("https://n0.test:9021", "https://n1.test:9021"),
                endpoints.modes().endpoints());
        assertTrue(warnings(endpoints).toString().contains("has no effect beside nixl_endpoint_list"));
    }

    /** Decision 9: LMCache's own example breaks LMCache's rule. */
    @Test
    void theExampleWithSeveralPathsIsRefusedForItsBufferSizeAndReadsWithoutIt() {
        String size = "is only for memory of a GPU; with nixl_buffer_device: cpu remove it and set max_local_cpu_size";
        String text = DialectFiles.text("lmcache-several-paths.yaml");
        HostConfig config = HostConfig.parse(text, "lm.yaml", Map.of());
        assertTrue(
                problems(config).contains("lm.yaml:2:1: nixl_buffer_size: " + size),
                problems(config).toString());
        String right = text.replaceAll("nixl_buffer_size.*\n", "");
        HostConfig corrected = HostConfig.parse(right, "lm.yaml", Map.of("LOCAL_RANK", "1"));
        assertEquals(List.of(NEEDS_SLOT_BYTES), sentences(corrected));
        HostConfig whole = HostConfig.parse(right + "\n  slot_bytes: 4MiB\n", "lm.yaml", Map.of("LOCAL_RANK", "1"));
        assertEquals(List.of(), sentences(whole));
        assertTrue(whole.modes().byGpu());
        assertEquals(1, whole.modes().localWorkerId());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            nixl_buffer_device: gpu | - | nixl_buffer_device: must be cpu, cuda or cuda:N
            nixl_buffer_device: cuda / nixl_buffer_size: 1 | - | nixl_buffer_device: must be cpu with backend POSIX
            nixl_buffer_device: cuda:1 / nixl_buffer_size: 0 | nixl_backend: GDS | nixl_buffer_size: must be a whole number, at least 1
            nixl_buffer_size: 1024 | - | nixl_buffer_size: is only for memory of a GPU; with nixl_buffer_device: cpu remove it and set max_local_cpu_size
            max_local_cpu_size: 0 | - | max_local_cpu_size: must be more than 0: transfers need memory
            max_local_cpu_size: big | - | max_local_cpu_size: must be a decimal number, not "big"
            enable_p2p: true | - | enable_p2p: must be false with nixl_buffer_device: cpu
            enable_p2p: perhaps | - | enable_p2p: must be true or false
            local_cpu: 1 | - | local_cpu: must be true or false
            enable_async_loading: 2 | - | enable_async_loading: must be true or false
            chunk_size: 0 | - | chunk_size: must be a whole number, at least 1
            local_cpu_use_hugepages: perhaps | - | local_cpu_use_hugepages: must be true or false, not "perhaps"
            enable_nixl: true | - | enable_nixl: is an old name; write enable_nixl_storage: true in extra_config instead
            nixl_pool_size: 0 | - | nixl_pool_size: belongs into extra_config; indent it below that key
            nixl_bufer_device: cpu | - | nixl_bufer_device: unknown key; did you mean nixl_buffer_device?
            - | enable_nixl_storage: false | extra_config.enable_nixl_storage: must be true: without it LMCache uses no NIXL storage
            - | enable_nixl_storage: "yes" | extra_config.enable_nixl_storage: must be true or false
            - | nixl_backend: UCX | extra_config.nixl_backend: is no backend of LMCache; write one of AZURE_BLOB, DOCA_MEMOS, GDS, GDS_MT, HF3FS, OBJ, POSIX
            - | nixl_pool_size: -1 | extra_config.nixl_pool_size: must be in 0 … 2147483647, not "-1"
            - | nixl_pool_size: few | extra_config.nixl_pool_size: must be a whole number, not "few"
            - | nixl_pool_size: 1 | extra_config.nixl_pool_size: a static pool needs slot_bytes, the bytes of one slot: at least those of the longest object
            - | nixl_presence_cache: 2 | extra_config.nixl_presence_cache: must be true or false, not "2"
            - | nixl_async_put: maybe | extra_config.nixl_async_put: must be true or false, not "maybe"
            - | nixl_path_sharding: by_host | extra_config.nixl_path_sharding: must be by_gpu, the only strategy
            - | nixl_path: [] | extra_config.nixl_path: must name at least one path
            - | nixl_backend_params: 5 | extra_config.nixl_backend_params: must be a mapping of keys to values
            - | nixl_backend_params: {use_urring: "true"} | extra_config.nixl_backend_params.use_urring: unknown key; did you mean use_uring?
            - | nixl_backend_params: {use_direct_io: true} | extra_config.nixl_backend_params.use_direct_io: belongs into extra_config, not into the parameters
            - | use_direct_io: maybe | extra_config.use_direct_io: must be true or false, not "maybe"
            - | nixl_endpoint_list: [] / nixl_backend: OBJ | extra_config.nixl_endpoint_list: must be a list of endpoints that begin with http:// or https://
            - | nixl_endpoint_list: [n0:9021] / nixl_backend: OBJ | extra_config.nixl_endpoint_list: must be a list of endpoints that begin with http:// or https://
            - | nixl_enable_prog_thread: 3 | extra_config.nixl_enable_prog_thread: must be true or false
            - | nixl_sync_mode: LOOSE | extra_config.nixl_sync_mode: must be one of DEFAULT, NONE, RW, STRICT
            - | nixl_use_hugepages: perhaps | extra_config.nixl_use_hugepages: must be true or false, not "perhaps"
            - | nixl_buffer_device: cpu | extra_config.nixl_buffer_device: belongs to the top level, outside of extra_config
            - | nixl_pressence_cache: true | extra_config.nixl_pressence_cache: unknown key; did you mean nixl_presence_cache?
            - | nixl_file_pool_size: 0 / nixl_pool_size: 1 | extra_config.nixl_file_pool_size: and nixl_pool_size (lm.yaml:8:3) have different values; keep nixl_pool_size
            """)
    void rules(String top, String inside, String expected) {
        List<String> found = sentences(with(top == null ? "" : top, inside == null ? "" : inside));
        assertTrue(found.contains(expected), found.toString());
        boolean second = !expected.equals(NEEDS_SLOT_BYTES) && found.contains(NEEDS_SLOT_BYTES);
        assertEquals(second ? 2 : 1, found.size(), found.toString());
    }

    @Test
    void whatIsRequiredAndMissingIsNamed() {
        assertEquals(
                List.of(
                        "extra_config.enable_nixl_storage: must be true: without it LMCache uses no NIXL storage",
                        "extra_config.nixl_backend: is required; write one of AZURE_BLOB, DOCA_MEMOS, GDS, GDS_MT, HF3FS,"
                                + " OBJ, POSIX",
                        "extra_config.nixl_pool_size: is required: 0 for names made per transfer, above 0 for a pool of"
                                + " that many slots",
                        "nixl_buffer_device: is required: cpu, or cuda or cuda:N for memory of a GPU"),
                sentences(HostConfig.parse("extra_config: {}\nsave_unfull_chunk: false\n", "lm.yaml", Map.of()))
                        .stream()
                        .sorted()
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "HF3FS", "AZURE_BLOB", "DOCA_MEMOS"})
    void onlySomeBackendsTakeMemoryOfAGpu(String backend) {
        assertTrue(sentences(with("nixl_buffer_device: cuda / nixl_buffer_size: 1", "nixl_backend: " + backend))
                .contains("nixl_buffer_device: must be cpu with backend " + backend));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "HF3FS", "GDS", "GDS_MT", "AZURE_BLOB", "DOCA_MEMOS"})
    void onlyObjTakesEndpoints(String backend) {
        assertTrue(warnings(with("", "nixl_endpoint_list: [https://a] / nixl_backend: " + backend))
                .toString()
                .contains(
                        "extra_config.nixl_endpoint_list: has no effect with backend " + backend + ", only with OBJ"));
    }

    @Test
    void rulesOfAGpu() {
        assertTrue(sentences(with("nixl_buffer_device: cuda", "nixl_backend: GDS"))
                .contains("nixl_buffer_size: is required when nixl_buffer_device is a GPU"));
        HostConfig gpu = with("nixl_buffer_device: cuda / nixl_buffer_size: 4096", "nixl_use_hugepages: true");
        assertTrue(
                warnings(gpu).toString().contains("is an old name and has no effect with memory of a GPU"),
                warnings(gpu).toString());
    }

    @ParameterizedTest
    @CsvSource({"GDS, cuda, 0", "GDS_MT, CUDA:3, 3", "OBJ, cuda:12, 12"})
    void memoryOfAGpuIsTheArena(String backend, String device, int gpu) {
        HostConfig config = with(
                "nixl_buffer_device: " + device
                        + " / nixl_buffer_size: 1073741825 / max_local_cpu_size: 7 / local_cpu_use_hugepages: true",
                "nixl_backend: " + backend);
        assertEquals(List.of(), sentences(config));
        assertEquals(OptionalInt.of(gpu), config.store().gpu());
        assertEquals(1_073_741_825L, config.store().arenaBytes());
        assertFalse(config.store().hugePages());
        assertEquals(List.of(), warnings(config));
    }

    @Test
    void whatIsAccepted() {
        HostConfig config = with("enable_async_loading: true / enable_p2p: false", "");
        assertEquals(List.of(), problems(config));
        assertFalse(config.modes().presenceCache());
        assertFalse(config.modes().presenceCacheOnly());
        assertFalse(config.modes().asyncPut());
        HostConfig pool = HostConfig.parse("""
                save_unfull_chunk: true
                nixl_buffer_device: cpu
                extra_config: {enable_nixl_storage: true, nixl_backend: POSIX, nixl_pool_size: 4, slot_bytes: 64KiB,
                  nixl_path: [" /a ", "/b"], nixl_presence_cache: true, nixl_presence_cache_only: true, nixl_async_put: true}
                """, "lm.yaml", Map.of());
        assertEquals(List.of(), problems(pool), "a pool keeps unfull chunks, and reads keys of the dynamic mode");
        assertEquals(
                List.of("/a", "/b"),
                pool.strategyConfig(pool.table(POSIX), POSIX).paths("file_path"),
                "without the blanks around them");
    }

    @Test
    void rulesOfTwoKeys() {
        assertEquals(
                List.of("extra_config.nixl_presence_cache_only: needs nixl_presence_cache: true beside it"),
                sentences(with("", "nixl_presence_cache_only: true")));
        HostConfig unfull = HostConfig.parse(
                DialectFiles.text("lmcache-posix-dynamic.yaml")
                        .replace("save_unfull_chunk: False", "save_unfull_chunk: \"True\""),
                "lm.yaml",
                Map.of());
        assertEquals(
                List.of(
                        "lm.yaml:3:1: save_unfull_chunk: must be false with nixl_pool_size 0: every object has the length"
                                + " of a whole chunk there"),
                problems(unfull));
        assertTrue(sentences(with("local_cpu_use_hugepages: false", "nixl_use_hugepages: true"))
                .get(0)
                .startsWith("extra_config.nixl_use_hugepages: contradicts local_cpu_use_hugepages (lm.yaml:3:1)"));
    }

    @Test
    void aFileStoreNeedsItsPath() {
        HostConfig config = HostConfig.parse(
                DialectFiles.text("lmcache-posix-dynamic.yaml").replaceAll("  nixl_path.*\n", ""), "lm.yaml", Map.of());
        assertEquals(
                List.of("lm.yaml:8:3: plugin.POSIX.file_path: FILE storage requires extra_config.nixl_path; name the"
                        + " directory there"),
                problems(config));
    }

    /** C18. */
    @Test
    void oldNamesAreAcceptedWithAWarning() {
        HostConfig config = with("", "nixl_file_pool_size: 0");
        assertEquals(List.of(), problems(config));
        assertEquals(
                List.of("lm.yaml:7:3: extra_config.nixl_file_pool_size: is an old name; write nixl_pool_size"),
                warnings(config));
        assertTrue(warnings(with("", "nixl_use_hugepages: false"))
                .get(0)
                .contains("is an old name; write local_cpu_use_hugepages"));
    }

    @Test
    void whatIsReadWithoutEffectIsSaid() {
        HostConfig config = with(
                "remote_url: lm://h:1 / local_disk: x / local_cpu: true",
                "nixl_sync_mode: strict / nixl_enable_prog_thread: true / remote_storage_plugin: a");
        assertEquals(List.of(), problems(config));
        assertEquals(
                List.of(
                        "keys that only engine nixl reads: nixl_enable_prog_thread, nixl_sync_mode",
                        "keys that do not concern storage, without effect here: extra_config.remote_storage_plugin,"
                                + " local_disk, remote_url"),
                config.notes());
        assertEquals(List.of(), warnings(config));
        assertTrue(config.modes().localCpu());
        assertTrue(with("", "").modes().localCpu(), "LMCache's default");
        assertFalse(with("local_cpu: False", "").modes().localCpu());
        assertEquals(
                List.of(
                        "lm.yaml:8:3: extra_config.nixl_endpoint_list: has no effect with backend POSIX, only with OBJ"),
                warnings(with("", "nixl_endpoint_list: [https://a]")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"posix", "Posix", "3fs", "hf3fs", "gds-mt"})
    void backendsByAnyOfTheirSpellings(String backend) {
        HostConfig config = with("", "nixl_backend: " + backend);
        assertEquals(List.of(), problems(config), backend);
    }

    @Test
    void fiveMistakesAreFiveProblems() {
        assertEquals(
                List.of(
                        "five-mistakes.yaml:2:1: nixl_buffer_device: must be cpu, cuda or cuda:N",
                        "five-mistakes.yaml:4:3: extra_config.enable_nixl_storage: must be true or false",
                        "five-mistakes.yaml:5:3: extra_config.nixl_backend: is no backend of LMCache; write one of"
                                + " AZURE_BLOB, DOCA_MEMOS, GDS, GDS_MT, HF3FS, OBJ, POSIX",
                        "five-mistakes.yaml:6:3: extra_config.nixl_pool_size: must be in 0 … 2147483647, not \"-4\"",
                        "five-mistakes.yaml:7:3: extra_config.nixl_paht: unknown key; did you mean nixl_path?"),
                problems(file("five-mistakes.yaml")));
    }

    /** C05. */
    @Test
    void jsonInAVariableIsReadOrRefusedWithItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("lm.yaml"), "nixl_buffer_device: cpu\n");
        String right = "{\"enable_nixl_storage\": true, \"nixl_backend\": \"POSIX\", \"nixl_pool_size\": 0,"
                + " \"nixl_path\": \"/env\"}";
        HostConfig config =
                HostConfig.from(null, Map.of("LMCACHE_CONFIG_FILE", file.toString(), "LMCACHE_EXTRA_CONFIG", right));
        assertEquals(file.toString(), config.source());
        assertEquals(List.of(), problems(config));
        assertEquals("/env", shown(config, POSIX, "file_path").text());
        assertEquals(
                "$LMCACHE_EXTRA_CONFIG:1:77", shown(config, POSIX, "file_path").origin());
        HostConfig wrong = HostConfig.from(null, Map.of("LMCACHE_EXTRA_CONFIG", "{'use_direct_io': True}"));
        assertEquals(
                "$LMCACHE_EXTRA_CONFIG:1:2: is not JSON here; keys and texts need double quotes, not single ones",
                problems(wrong).stream()
                        .filter(p -> p.contains("JSON here"))
                        .findFirst()
                        .orElseThrow());
        HostConfig capital = HostConfig.from(null, Map.of("LMCACHE_EXTRA_CONFIG", "{\"use_direct_io\": True}"));
        assertTrue(problems(capital)
                .contains("$LMCACHE_EXTRA_CONFIG:1:19: is not JSON here; write true, false and null in lower case"));
    }

    @Test
    void theFileComesBeforeTheVariable() {
        HostConfig config = HostConfig.parse(
                DialectFiles.text("lmcache-posix-dynamic.yaml"),
                "lm.yaml",
                Map.of("LMCACHE_EXTRA_CONFIG", "{\"nixl_path\": \"/env\", \"use_direct_io\": true}"));
        assertEquals("/srv/kv/dynamic", shown(config, POSIX, "file_path").text());
        assertTrue(config.store().useDirectIo());
    }
}
