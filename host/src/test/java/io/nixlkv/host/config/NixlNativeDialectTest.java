package io.nixlkv.host.config;

import static io.nixlkv.host.config.DialectFiles.POSIX;
import static io.nixlkv.host.config.DialectFiles.known;
import static io.nixlkv.host.config.DialectFiles.problems;
import static io.nixlkv.host.config.DialectFiles.shown;
import static io.nixlkv.host.config.DialectFiles.warnings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.spi.TransferBatch.Mode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LMCache's adapter {@code nixl_native}. */
class NixlNativeDialectTest {

    private static HostConfig adapter(String json) {
        return HostConfig.adapter(json, Map.of("SGLANG_HICACHE_NIXL_USE_DIRECT_IO", "1"));
    }

    @Test
    void aFileStore() {
        HostConfig config = adapter(DialectFiles.text("nixl-native-posix.json"));
        assertEquals(List.of(), problems(config));
        assertEquals(List.of(), warnings(config));
        assertEquals(Dialect.NIXL_NATIVE, config.dialect());
        StoreSettings store = config.store();
        assertEquals("lmcache", store.layout());
        assertEquals(3, store.numWorkers());
        assertEquals(7L * (1L << 30) + (1L << 29), store.maxCapacityBytes());
        assertTrue(store.shardDirs());
        assertTrue(store.useDirectIo());
        assertEquals(Atomicity.ALL_OR_NOTHING, store.atomicity());
        assertEquals(Mode.CREATE, store.writeMode());
        assertEquals("/srv/kv/l2", shown(config, POSIX, "file_path").text());
        assertEquals("true", shown(config, POSIX, "sync").text());
        assertEquals("--l2-adapter:5:5", shown(config, POSIX, "file_path").origin());
    }

    @Test
    void defaultsOfTheDialect() {
        HostConfig config =
                adapter("{\"type\":\"nixl_native\",\"backend\":\"POSIX\",\"backend_params\":{\"file_path\":\"/a\"}}");
        assertEquals(List.of(), problems(config));
        assertEquals(4, config.store().numWorkers());
        assertEquals(0, config.store().maxCapacityBytes());
        assertFalse(config.store().useDirectIo(), "SGLang's variable does not concern it");
        assertEquals("false", shown(config, POSIX, "use_direct_io").text());
    }

    @Test
    void anObjectStore() {
        HostConfig config = HostConfig.from(DialectFiles.text("nixl-native-obj.json"), Map.of());
        assertEquals(Dialect.NIXL_NATIVE, config.dialect());
        assertEquals(List.of(), problems(config));
        assertEquals("kv-pages", shown(config, known("OBJ"), "bucket").text());
        assertEquals("https", shown(config, known("OBJ"), "scheme").text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"backend":"POSIX","backend_params":{"file_path":"/a"}} | type | is required and must be "nixl_native"
            {"type":"fs_native","backend":"POSIX","backend_params":{"file_path":"/a"}} | type | must be "nixl_native"; other adapters of LMCache are not served here
            {"type":"nixl_native"} | backend | is required and must be an uppercase NIXL plugin identifier such as "POSIX" or "OBJ"
            {"type":"nixl_native","backend":"posix"} | backend | must be an uppercase NIXL plugin identifier such as "POSIX" or "OBJ"
            {"type":"nixl_native","backend":"BAD-NAME"} | backend | must be an uppercase NIXL plugin identifier such as "POSIX" or "OBJ"
            {"type":"nixl_native","backend":7} | backend | must be an uppercase NIXL plugin identifier such as "POSIX" or "OBJ"
            {"type":"nixl_native","backend":"OBJ","backend_params":[]} | backend_params | must be an object of texts, {"key": "text"}
            {"type":"nixl_native","backend":"POSIX","backend_params":{"file_path":123}} | backend_params.file_path | must be a text: put the value into double quotes
            {"type":"nixl_native","backend":"OBJ","backend_params":{"bucket":null}} | backend_params.bucket | must be a text: put the value into double quotes
            {"type":"nixl_native","backend":"OBJ","num_workers":0} | num_workers | must be a positive integer
            {"type":"nixl_native","backend":"OBJ","num_workers":-1} | num_workers | must be a positive integer
            {"type":"nixl_native","backend":"OBJ","num_workers":true} | num_workers | must be a positive integer
            {"type":"nixl_native","backend":"OBJ","num_workers":"4"} | num_workers | must be a positive integer
            {"type":"nixl_native","backend":"OBJ","num_workers":1.5} | num_workers | must be a positive integer
            {"type":"nixl_native","backend":"OBJ","num_workers":300} | num_workers | must be in 1 … 256, not "300"
            {"type":"nixl_native","backend":"OBJ","max_capacity_gb":-1} | max_capacity_gb | must be a non-negative number
            {"type":"nixl_native","backend":"OBJ","max_capacity_gb":false} | max_capacity_gb | must be a non-negative number
            {"type":"nixl_native","backend":"OBJ","storage_type":"OBJECT"} | storage_type | is no key here: whether backend stores files or objects follows from its FILE_SEG or OBJ_SEG capability; remove it
            {"type":"nixl_native","backend":"OBJ","eviction":"LRU"} | eviction | must be an object with eviction_policy
            {"type":"nixl_native","backend":"OBJ","eviction":{"trigger_watermark":0.5}} | eviction | must have eviction_policy: "LRU" or "noop"
            {"type":"nixl_native","backend":"OBJ","eviction":{"eviction_policy":"ARC"}} | eviction.eviction_policy | must be "LRU" or "noop"; other policies are not served here
            {"type":"nixl_native","backend":"OBJ","eviction":{"eviction_policy":"LRU","eviction_ratio":0}} | eviction.eviction_ratio | must be a number above 0 and at most 1
            {"type":"nixl_native","backend":"OBJ","eviction":{"eviction_policy":"LRU","trigger_watermark":1.5}} | eviction.trigger_watermark | must be a number above 0 and at most 1
            {"type":"nixl_native","backend":"OBJ","eviction":{"eviction_policy":"LRU","watermark":1}} | eviction.watermark | unknown key; eviction_policy, trigger_watermark, eviction_ratio are known here
            {"type":"nixl_native","backend":"OBJ","backend_params":{"bukcet":"b"}} | backend_params.bukcet | unknown key; did you mean bucket?
            {"type":"nixl_native","backend":"OBJ","backend_params":{"shard_dirs":"True"}} | backend_params.shard_dirs | must be exactly "true" or "false"
            {"type":"nixl_native","backend":"OBJ","backend_params":{"use_direct_io":"1"}} | backend_params.use_direct_io | must be exactly "true" or "false"
            """)
    void rules(String json, String key, String sentence) {
        List<ConfigProblem> problems = adapter(json).validate(DialectFiles.ALL);
        assertEquals(1, problems.size(), problems.toString());
        assertEquals(key, problems.get(0).key());
        assertEquals(sentence, problems.get(0).sentence());
        assertEquals("--l2-adapter", problems.get(0).source());
        assertEquals(1, problems.get(0).line());
        String name = key.substring(key.lastIndexOf('.') + 1);
        int at = json.indexOf('"' + name + '"');
        assertEquals(at < 0 ? 1 : at + 1, problems.get(0).column());
    }

    @Test
    void evictionIsThatOfTheStore() {
        HostConfig config = adapter("{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"max_capacity_gb\":2,"
                + "\"eviction\":{\"eviction_policy\":\"LRU\",\"trigger_watermark\":0.75,\"eviction_ratio\":0.5}}");
        assertEquals(List.of(), problems(config));
        assertTrue(config.modes().evicts());
        assertEquals(0.75, config.modes().triggerWatermark());
        assertEquals(0.5, config.modes().evictionRatio());
        HostConfig none =
                adapter("{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"eviction\":{\"eviction_policy\":\"noop\"}}");
        assertEquals(List.of(), problems(none));
        assertEquals(List.of(), warnings(none));
        assertFalse(none.modes().evicts());
        assertEquals(
                List.of("--l2-adapter:1:51: eviction.eviction_policy: has no effect with max_capacity_gb = 0, which"
                        + " means no limit"),
                warnings(adapter(
                        "{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"eviction\":{\"eviction_policy\":\"LRU\"}}")));
    }

    @Test
    void aFileStoreNeedsItsPath() {
        assertEquals(
                List.of(
                        "--l2-adapter:1:23: plugin.POSIX.file_path: FILE storage requires backend_params.file_path; name"
                                + " the directory there"),
                problems(HostConfig.adapter(
                        "{\"type\":\"nixl_native\",\"backend\":\"POSIX\"}",
                        Map.of("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR", "/other"))));
    }

    @Test
    void unknownKeysAreIgnoredAloud() {
        HostConfig config =
                adapter("{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"shared\":true,\"affinity_tag\":\"a\"}");
        assertEquals(List.of(), problems(config));
        assertEquals(List.of("keys without effect here: affinity_tag, shared"), config.notes());
    }

    /** Decision 24. */
    @Test
    void aSecretLoadsWithAWarning() {
        HostConfig config = adapter(
                "{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"backend_params\":{\"secrete_key\":\"S3CR3T-marker\"}}");
        assertEquals(List.of(), problems(config));
        assertTrue(
                warnings(config)
                        .contains("--l2-adapter:1:57: backend_params.secrete_key: a secret in the configuration may be"
                                + " shown by tools; better give it by the environment, as AWS_SECRET_ACCESS_KEY"),
                warnings(config).toString());
        assertEquals("***", shown(config, known("OBJ"), "secret_key").text());
    }

    @Test
    void fiveMistakesAreFiveProblems() {
        assertEquals(
                List.of(
                        "five-mistakes.json:3:3: backend: must be an uppercase NIXL plugin identifier such as \"POSIX\" or"
                                + " \"OBJ\"",
                        "five-mistakes.json:4:3: storage_type: is no key here: whether backend stores files or objects"
                                + " follows from its FILE_SEG or OBJ_SEG capability; remove it",
                        "five-mistakes.json:5:22: backend_params.file_path: must be a text: put the value into double"
                                + " quotes",
                        "five-mistakes.json:5:38: backend_params.use_direct_io: must be exactly \"true\" or \"false\"",
                        "five-mistakes.json:6:3: num_workers: must be a positive integer"),
                problems(DialectFiles.file("five-mistakes.json")));
    }
}
