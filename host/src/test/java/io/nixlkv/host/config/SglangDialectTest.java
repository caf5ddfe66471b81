package io.nixlkv.host.config;

import static io.nixlkv.host.config.DialectFiles.POSIX;
import static io.nixlkv.host.config.DialectFiles.file;
import static io.nixlkv.host.config.DialectFiles.known;
import static io.nixlkv.host.config.DialectFiles.problems;
import static io.nixlkv.host.config.DialectFiles.shown;
import static io.nixlkv.host.config.DialectFiles.warnings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SGLang's configuration: qualified and flat, three languages, variables. */
class SglangDialectTest {
    private static final String PLUGIN = "SGLANG_HICACHE_NIXL_BACKEND_PLUGIN";
    private static final String DIRECTORY = "SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR";

    @TempDir
    Path folder;

    @Test
    void theQualifiedFormWithEveryTable() {
        HostConfig config = file("sglang-tables.toml");
        assertEquals(Dialect.SGLANG, config.dialect());
        assertEquals(List.of(), problems(config));
        assertEquals(
                List.of(
                        "sglang-tables.toml:35:1: plugin.obj.secrete_key: is another spelling of secret_key; better write"
                                + " that"),
                warnings(config));
        StoreSettings store = config.store();
        assertEquals("hicache", store.layout());
        assertEquals(Mode.REPLACE, store.writeMode());
        assertEquals(Atomicity.PER_OBJECT, store.atomicity());
        assertTrue(store.useDirectIo());
        assertEquals("true", shown(config, POSIX, "use_uring").text());
        assertEquals("/tmp/hicache_storage", shown(config, POSIX, "file_path").text());
        assertEquals("64", shown(config, known("GDS"), "batch_pool_size").text());
        assertEquals("8388608", shown(config, known("GDS"), "max_request_size").text());
        assertEquals("6", shown(config, known("GDS_MT"), "thread_count").text());
        assertEquals("/mnt/three", shown(config, known("3FS"), "mount_point").text());
        assertEquals("dram_zc", shown(config, known("HF3FS"), "mem_config").text());
        assertEquals("128", shown(config, known("3FS"), "iopool_size").text());
        assertEquals(
                "store.test:9000",
                shown(config, known("OBJ"), "endpoint_override").text());
        assertEquals(
                "false", shown(config, known("OBJ"), "use_virtual_addressing").text());
        assertEquals("supported", shown(config, known("OBJ"), "req_checksum").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sglang-tables.json", "sglang-tables.yaml"})
    void jsonAndYamlSayTheSame(String name) {
        HostConfig config = file(name);
        assertEquals(Dialect.SGLANG, config.dialect());
        assertEquals(List.of(), problems(config));
        assertEquals("86.5", shown(config, "l3_cleaner_high_watermark").text());
        assertEquals("71.0", shown(config, "l3_cleaner_low_watermark").text());
        assertEquals("6", shown(config, known("GDS_MT"), "thread_count").text());
        assertEquals(Optional.of(true), config.table(POSIX).orElseThrow().active());
        assertEquals(file("sglang-tables.toml").store(), config.store());
        assertTrue(shown(config, POSIX, "use_uring").origin().startsWith(name + ":6:"));
    }

    @Test
    void bufferedAsWritten() {
        HostConfig config = file("sglang-buffered.toml");
        assertFalse(config.store().useDirectIo());
        assertEquals("false", shown(config, POSIX, "use_direct_io").text());
        assertEquals(
                "sglang-buffered.toml:1:1",
                shown(config, POSIX, "use_direct_io").origin());
    }

    @Test
    void theFlatFormIsForThePluginInUse() {
        HostConfig config = HostConfig.from(DialectFiles.text("sglang-flat.json"), Map.of(PLUGIN, "POSIX"));
        assertEquals(Dialect.SGLANG, config.dialect());
        assertEquals("inline JSON", config.source());
        assertEquals(List.of(), problems(config));
        assertFalse(config.store().useDirectIo());
        assertEquals("hicache", config.store().layout());
        assertEquals("true", shown(config, POSIX, "use_uring").text());
        assertEquals("inline JSON:1:26", shown(config, POSIX, "use_uring").origin());
        assertEquals(List.of("keys of the engine, without effect here: prefetch_threshold"), config.notes());
        HostConfig called =
                config.withCall("plugin.posix.file_path", "/a").withCall("plugin.posix.ios_pool_size", "64");
        assertEquals("/a", shown(called, POSIX, "file_path").text());
        assertEquals("true", shown(called, POSIX, "use_uring").text());
        assertEquals("64", shown(called, POSIX, "ios_pool_size").text());
    }

    @Test
    void theFlatFormWithEveryPluginUnderAuto() {
        HostConfig config = HostConfig.from("{\"use_uring\": \"true\", \"thread_count\": 3}", Map.of());
        assertEquals(List.of(), problems(config));
        assertEquals("3", shown(config, known("GDS_MT"), "thread_count").text());
        assertEquals("true", shown(config, POSIX, "use_uring").text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"use_urring": "true"} | inline JSON:1:2: use_urring: unknown key; did you mean use_uring?
            {"use_direct_oi": true} | inline JSON:1:2: use_direct_oi: unknown key; did you mean use_direct_io?
            {"num_threads": 4} | inline JSON:1:2: num_threads: is a key of plugin OBJ, which is not the one in use
            {"ios_pool_size": "many"} | inline JSON:1:2: ios_pool_size: must be a whole number, not "many"
            {"use_uring": 1} | inline JSON:1:2: use_uring: must be true or false, not "1"
            """)
    void mistakesInTheFlatForm(String json, String problem) {
        assertEquals(List.of(problem), problems(HostConfig.from(json, Map.of(PLUGIN, "posix"))));
    }

    @Test
    void variablesAloneAreSglangsDialect() {
        HostConfig config = HostConfig.from(null, Map.of(DIRECTORY, " /d1 , /d2,,"));
        assertEquals(Dialect.SGLANG, config.dialect());
        assertEquals("hicache", config.store().layout());
        assertEquals(
                List.of("/d1", "/d2"),
                config.strategyConfig(config.table(POSIX), POSIX).paths("file_path"));
        assertEquals(Dialect.OWN, HostConfig.from(" ", Map.of()).dialect());
        assertEquals(
                Optional.of("GDS"), HostConfig.from("", Map.of(PLUGIN, "GDS")).pluginOfEnvironment());
        HostConfig twice = HostConfig.from("", Map.of(DIRECTORY, "/d1,/d1"));
        assertEquals(
                "$" + DIRECTORY + ": plugin.posix.file_path: names a path twice: \"/d1,/d1\"",
                assertThrows(ConfigException.class, () -> twice.strategyConfig(Optional.empty(), POSIX))
                        .getMessage());
    }

    @Test
    void aPathWithOrWithoutItsSign() throws IOException {
        Path file = Files.writeString(folder.resolve("any.conf"), DialectFiles.text("sglang-tables.yaml"));
        assertEquals(file.toString(), HostConfig.from("@" + file, Map.of()).source());
        assertEquals(
                HostConfig.from(file.toString(), Map.of()).store(),
                HostConfig.from("@" + file, Map.of()).store());
    }

    @Test
    void whatTheFileHasNoPlaceForComesFromCalls() {
        HostConfig config = file("sglang-buffered.toml")
                .withCall("store.model", "org/model")
                .withCall("store.tp_rank", "1")
                .withCall("store.tp_size", "2")
                .withCall("store.mla", "true")
                .withCall("store.host_layout", "page_first");
        assertEquals(List.of(), problems(config));
        assertEquals(
                new LayoutSettings("org/model", 1, 2, true, "page_first", List.of(), false),
                config.store().layoutSettings());
    }

    @Test
    void mistakesInATableThatIsNotInUseAreWarnings() {
        HostConfig config = HostConfig.parse(
                "[plugin.posix]\nactive = true\n[plugin.gds]\nbatch_limit = 0\n[plugin.3fs]\niopool_size = 63\n",
                "c.toml",
                Map.of());
        assertEquals(List.of(), config.validate(List.of(POSIX)).stream().toList());
        assertEquals(
                List.of(
                        "c.toml:4:1: plugin.gds.batch_limit: must be in 1 … 1048576, not \"0\"",
                        "c.toml:6:1: plugin.3fs.iopool_size: must be in 64 … 1048576, not \"63\""),
                warnings(config));
        assertEquals(
                List.of(
                        "c.toml:3:1: plugin.gds: no plugin found answers to that name, so the table has no effect",
                        "c.toml:5:1: plugin.3fs: no plugin found answers to that name, so the table has no effect"),
                config.warnings(List.of(POSIX)).stream()
                        .map(ConfigProblem::toString)
                        .toList());
    }

    @Test
    void threeFsHasTwoNames() {
        assertEquals(
                List.of("c.toml:3:1: plugin.hf3fs: is the same plugin as [plugin.3fs] (c.toml:1:1); keep one table"),
                problems(HostConfig.parse("[plugin.3fs]\niopool_size = 64\n[plugin.hf3fs]\n", "c.toml", Map.of())));
    }

    /** C03, C04: the same words count in all three languages. */
    @ParameterizedTest
    @CsvSource({
        "true,true",
        "'\"true\"',true",
        "'\"True\"',true",
        "'\"TRUE\"',true",
        "'\"false\"',false",
        "'\"False\"',false",
        "1,",
        "'\"yes\"',",
        "'\"on\"',",
        "2,",
        "'[true]',"
    })
    void booleans(String written, Boolean expected) {
        List<HostConfig> same = List.of(
                HostConfig.parse("use_direct_io = " + written, "c.toml", Map.of()),
                HostConfig.parse("{\"use_direct_io\": " + written + "}", "c.json", Map.of()),
                HostConfig.parse("use_direct_io: " + written, "c.yaml", Map.of()));
        for (HostConfig config : same) {
            if (expected == null) {
                assertEquals(1, problems(config).size(), config.toString());
                assertTrue(problems(config).get(0).contains("use_direct_io: must be true or false, not "));
            } else {
                assertEquals(expected, config.store().useDirectIo(), config.toString());
            }
        }
    }

    /** C04. */
    @Test
    void aTextThatSaysFalseIsFalse() {
        HostConfig config = HostConfig.parse("""
                l3_cleaner_enabled: "false"
                use_direct_io: "False"
                plugin:
                  posix:
                    active: "false"
                  obj:
                    active: "true"
                """, "c.yaml", Map.of());
        assertEquals(List.of(), problems(config));
        assertFalse(config.store().useDirectIo());
        assertEquals("false", shown(config, "l3_cleaner_enabled").text());
        assertEquals(Optional.of(false), config.table(POSIX).orElseThrow().active());
        assertEquals(Optional.of(true), config.table(known("OBJ")).orElseThrow().active());
    }

    @Test
    void fiveMistakesAreFiveProblems() {
        assertEquals(
                List.of(
                        "five-mistakes.toml:1:1: use_direct_io: must be true or false, not \"maybe\"",
                        "five-mistakes.toml:2:1: l3_cleaner_low_watermark: 0 < l3_cleaner_low_watermark <"
                                + " l3_cleaner_high_watermark <= 100 must hold, and they are 95 and 80 (default); correct"
                                + " them",
                        "five-mistakes.toml:6:1: plugin.posix.use_urring: unknown key; did you mean use_uring?",
                        "five-mistakes.toml:7:1: plugin.posix.ios_pool_size: must be a whole number, not \"many\"",
                        "five-mistakes.toml:8:1: plugin.posix.l3_cleaner_enabled: is a top-level key: it belongs above"
                                + " the first [section]"),
                problems(file("five-mistakes.toml")));
    }
}
