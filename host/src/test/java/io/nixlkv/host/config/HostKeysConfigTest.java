package io.nixlkv.host.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.CallOptions.Atomicity;
import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of the host: values, precedence, origins, and everything that can be wrong with one of them. */
class HostKeysConfigTest {

    private static HostConfig parse(String toml) {
        return HostConfig.parse(toml, "c.toml", Map.of());
    }

    private static List<String> problems(String toml) {
        return parse(toml).validate(List.of()).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    private static List<String> warnings(String toml) {
        return parse(toml).warnings().stream().map(ConfigProblem::toString).toList();
    }

    @Test
    void defaults() {
        StoreSettings store = HostConfig.defaults(Map.of()).store();
        assertEquals(
                new StoreSettings(
                        "lmcache",
                        4,
                        1L << 30,
                        OptionalInt.empty(),
                        4096,
                        false,
                        Mode.CREATE,
                        Atomicity.PER_OBJECT,
                        false,
                        0,
                        NameForm.FILE,
                        false,
                        0,
                        0,
                        0,
                        Duration.ofSeconds(30),
                        true,
                        false,
                        LayoutSettings.NONE),
                store);
        assertEquals(store, parse("").store());
        assertEquals(store, parse("# nothing\n[store]\n").store());
    }

    @Test
    void everyKeyOfTheStoreArrives() {
        HostConfig config = parse("""
                use_direct_io = false
                [store]
                layout = "RAW"
                mode = "dynamic"
                num_workers = "7"
                arena_gb = 0.25
                arena_align_bytes = "8KiB"
                hugepages = true
                write_mode = "create"
                atomicity = "all_or_nothing"
                exclusive = true
                max_capacity_gb = 2
                object_bytes = "1MiB"
                deadline_ms = 1500
                fallback = "auto"
                """);
        assertEquals(List.of(), config.validate(List.of()));
        assertEquals(List.of(), config.warnings());
        assertEquals(
                new StoreSettings(
                        "raw",
                        7,
                        1L << 28,
                        OptionalInt.empty(),
                        8192,
                        true,
                        Mode.CREATE,
                        Atomicity.ALL_OR_NOTHING,
                        true,
                        2L << 30,
                        NameForm.FILE,
                        false,
                        0,
                        1 << 20,
                        0,
                        Duration.ofMillis(1500),
                        false,
                        true,
                        LayoutSettings.NONE),
                config.store());
        StoreSettings lmcache = parse(
                        "[store]\nname_form='wire'\nshard_dirs=\"True\"\nl1_align_bytes=4096\nwrite_mode='Replace'")
                .store();
        assertEquals(NameForm.WIRE, lmcache.nameForm());
        assertTrue(lmcache.shardDirs());
        assertEquals(4096, lmcache.l1AlignBytes());
        assertEquals(Mode.REPLACE, lmcache.writeMode());
        assertEquals(Mode.REPLACE, parse("[store]\nlayout='raw'").store().writeMode());
    }

    @Test
    void fiveMistakesAreFiveProblemsWithTheirPlaces() {
        HostConfig config = parse("""
                l3_cleaner_high_watermark = "80%"
                [store]
                num_worker = 4
                  arena_gb = [1, 2]
                deadline_ms = 0

                [plugin.disk]
                active = "yes"
                use_direct_io = false
                """);
        List<ConfigProblem> problems = config.validate(List.of());
        assertEquals(
                List.of(
                        "c.toml:1:1: l3_cleaner_high_watermark: must be a decimal number, not \"80%\"",
                        "c.toml:3:1: store.num_worker: unknown key; did you mean num_workers?",
                        "c.toml:4:3: store.arena_gb: must be a decimal number, not a list of other things than texts"
                                + " without commas",
                        "c.toml:5:1: store.deadline_ms: must be in 1 … 86400000, not \"0\"",
                        "c.toml:8:1: plugin.disk.active: must be true or false, not \"yes\"",
                        "c.toml:9:1: plugin.disk.use_direct_io: is a top-level key: it belongs above the first"
                                + " [section]"),
                problems.stream().map(ConfigProblem::toString).toList());
        ConfigException thrown = assertThrows(ConfigException.class, config::store);
        assertEquals(problems, thrown.problems());
        assertEquals(6, thrown.getMessage().lines().count());
        assertEquals(
                new ConfigProblem("c.toml", 3, 1, "store.num_worker", "unknown key; did you mean num_workers?"),
                problems.get(1));
    }

    /** C03, C04. */
    @ParameterizedTest
    @CsvSource({
        "true,true",
        "'\"true\"',true",
        "'\"True\"',true",
        "'\"TRUE\"',true",
        "'\"false\"',false",
        "'\"False\"',false"
    })
    void booleansMayBeTexts(String written, boolean expected) {
        assertEquals(expected, parse("use_direct_io = " + written).store().useDirectIo());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "\"yes\"", "\"yes \"", "\"on\"", "2", "[true]", "1.0", "1979-05-27", "{a=1}"})
    void otherBooleansAreRefusedByName(String written) {
        List<String> problems = problems("\nuse_direct_io = " + written);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(
                problems.get(0).startsWith("c.toml:2:1: use_direct_io: must be true or false, not "), problems.get(0));
    }

    /** Decision 19. */
    @Test
    void anEmptyTextIsNotGiven() {
        HostConfig config = parse("use_direct_io = \"\"\n[store]\nnum_workers = ''\n");
        assertEquals(List.of(), config.validate(List.of()));
        assertTrue(config.store().useDirectIo());
        assertEquals(4, config.store().numWorkers());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                num_workers = 0 | must be in 1
                num_workers = 257 | must be in 1
                num_workers = 'four' | must be a whole number
                num_workers = 1.5 | must be a whole number
                num_workers = true | must be a whole number, not the boolean true
                deadline_ms = -1 | must be in 1
                deadline_ms = 86400001 | must be in 1
                deadline_ms = 9223372036854775807 | must be in 1 … 86400000, not "9223372036854775807"
                arena_gb = 1e300 | must be in 0 … 65536, not "1E+300"
                arena_gb = 0 | must be more than 0
                arena_gb = -1 | must be in 0
                arena_gb = nan | must be a decimal number
                arena_align_bytes = 3000 | must be a power of two
                l1_align_bytes = 4097 | must be a power of two
                object_bytes = '1TiB' | must be a number of bytes
                layout = 'lm' | must be one of lmcache
                tp_rank = 1 | must be below tp_size: 1 of 1
                host_layout = 'rows' | must be one of layer_first
                write_mode = 'append' | must be one of create
                pool_size = -1 | must be in 0
                pool_layout = 'rows' | must be one of slab
                presence_cache_only = true | requires presence_cache = true
                pool_size = 8 | a static pool needs slot_bytes
                eviction_ratio = 0 | must be above 0 and at most 1
                trigger_watermark = 1.5 | must be in 0
                endpoint_list = 'a:9000' | must begin with http:// or https://
                hugepages = 'perhaps' | must be true or false
                buffer_device = 'gpu' | must be cpu, cuda or cuda:N, not "gpu"
                buffer_device = 'cuda' | cuda needs buffer_bytes
                buffer_bytes = 4096 | is only for memory of a GPU
                mode = 'static' | mode static contradicts pool_size 0
                """)
    void wrongValuesOfTheStore(String line, String sentence) {
        String key = line.substring(0, line.indexOf(' '));
        List<String> problems = problems("[store]\n\n" + line);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.get(0).startsWith("c.toml:3:1: store." + key + ": "), problems.get(0));
        assertTrue(problems.get(0).contains(sentence), problems.get(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pool_size = 0",
                "presence_cache = false",
                "async_put = 'False'",
                "path_sharding = 'none'",
                "endpoint_list = ''",
                "mode = 'Dynamic'"
            })
    void keysMayBeWrittenWithTheirDefault(String line) {
        assertEquals(List.of(), problems("[store]\n" + line));
        assertEquals(List.of(), warnings("[store]\n" + line));
    }

    @Test
    void aContradictingModeIsNamedBesideTheMissingPool() {
        assertEquals(
                List.of(
                        "c.toml:2:1: store.mode: mode dynamic contradicts pool_size 4: 0 is dynamic, above 0 is static;"
                                + " leave mode out",
                        "c.toml:3:1: store.pool_size: a static pool needs slot_bytes, the bytes of one slot: at least those of"
                                + " the longest object"),
                problems("[store]\nmode = 'dynamic'\npool_size = 4"));
    }

    @Test
    void keysWithoutEffectAreWarnings() {
        assertEquals(
                List.of(
                        "c.toml:2:1: store.model: has no effect with layout lmcache",
                        "c.toml:3:1: store.tp_size: has no effect with layout lmcache"),
                warnings("[store]\nmodel = 'org/model'\ntp_size = 2\n"));
        assertEquals(
                List.of("c.toml:3:1: store.shard_dirs: has no effect with layout raw"),
                warnings("[store]\nlayout = 'raw'\nshard_dirs = true\n"));
    }

    @Test
    void memoryOfAGpuTakesThePlaceOfTheArena() {
        HostConfig config =
                parse("[store]\nbuffer_device = 'Cuda:2'\nbuffer_bytes = '2GiB'\nhugepages = true\narena_gb = 3");
        assertEquals(List.of(), config.validate(List.of()));
        assertEquals(OptionalInt.of(2), config.store().gpu());
        assertEquals(2L << 30, config.store().arenaBytes());
        assertEquals(
                List.of(
                        "c.toml:4:1: store.hugepages: has no effect with memory of a GPU",
                        "c.toml:5:1: store.arena_gb: has no effect with memory of a GPU"),
                config.warnings().stream().map(ConfigProblem::toString).toList());
        StoreSettings ofHost = config.withCall("store.buffer_device", "cpu").store();
        assertEquals(OptionalInt.empty(), ofHost.gpu());
        assertEquals(3L << 30, ofHost.arenaBytes());
    }

    @Test
    void theCleanersSettings() {
        HostConfig nothing = HostConfig.parse("[store]", "c.toml", Map.of());
        assertEquals(new CleanerSettings(Optional.empty(), 80, 70, 0), nothing.cleaner());
        HostConfig all = HostConfig.parse("""
                l3_cleaner_enabled = "true"
                l3_cleaner_high_watermark = "85"
                l3_cleaner_low_watermark = 75.5
                l3_cleaner_capacity_gb = 0.5
                """, "c.toml", Map.of());
        assertEquals(List.of(), all.validate(List.of()));
        assertEquals(List.of(), all.warnings());
        assertEquals(new CleanerSettings(Optional.of(true), 85, 75.5, 1L << 29), all.cleaner());
        assertEquals(
                new CleanerSettings(Optional.of(false), 80, 70, 0),
                HostConfig.parse("l3_cleaner_enabled = \"False\"\nl3_cleaner_capacity_gb = 0", "c.toml", Map.of())
                        .cleaner());
        assertEquals(1, problems("l3_cleaner_capacity_gb = -1").size());
    }

    @Test
    void aStaticPoolHasNothingToClean() {
        assertEquals(
                List.of(
                        "c.toml:1:1: l3_cleaner_enabled: has no effect with pool_size above 0: a static pool has the size"
                                + " of its slots"),
                warnings("l3_cleaner_enabled = true\n[store]\npool_size = 2\nslot_bytes = 4096"));
    }

    /** W12. */
    @ParameterizedTest
    @CsvSource({"80,90", "80,80", "100.5,70", "0,0", "-1,-2", "'\"70\"','\"80\"'", "60,", ",85"})
    void watermarksOutOfOrderAreRefused(String high, String low) {
        String toml = (high == null ? "" : "l3_cleaner_high_watermark = " + high + "\n")
                + (low == null ? "" : "l3_cleaner_low_watermark = " + low + "\n");
        List<String> problems = problems("# first line\n" + toml);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.get(0).startsWith("c.toml:2:1: l3_cleaner_"), problems.get(0));
        assertTrue(problems.get(0).contains("0 < l3_cleaner_low_watermark < l3_cleaner_high_watermark <= 100"));
        if (high == null || low == null) {
            assertTrue(problems.get(0).contains(" (default)"), problems.get(0));
        }
        assertEquals(List.of(), problems(toml + "l3_cleaner_enabled = false"));
        assertEquals(1, warnings(toml + "l3_cleaner_enabled = false").size());
    }

    @Test
    void watermarksThatAreNoNumbersAreRefused() {
        for (String value : List.of("nan", "inf", "\"80%\"", "true", "\"x\"")) {
            assertEquals(1, problems("l3_cleaner_high_watermark = " + value).size(), value);
        }
    }

    @Test
    void fractionsAsWatermarksAreAWarning() {
        String toml = "l3_cleaner_high_watermark = 0.8\nl3_cleaner_low_watermark = 0.7";
        assertEquals(List.of(), problems(toml));
        assertEquals(
                List.of("c.toml:1:1: l3_cleaner_high_watermark: watermarks are per cent, and 0.7 and 0.8 are less than"
                        + " one; write 80 for 80 %"),
                warnings(toml));
        assertEquals(List.of(), problems("l3_cleaner_high_watermark = \"85\"\nl3_cleaner_low_watermark = 8e1"));
    }

    @Test
    void unknownKeys() {
        assertEquals(
                List.of(
                        "c.toml:2:1: store.arena_bg: unknown key; did you mean arena_gb?",
                        "c.toml:3:1: store.l3_cleaner_high_watermark: is a top-level key: it belongs above the first"
                                + " [section]"),
                problems("[store]\narena_bg = 1\nl3_cleaner_high_watermark = 60.0\n"));
        assertTrue(problems("[store]\nzzzzzzzzzz = 1").get(0).contains("unknown key; known are layout, "));
        String foreign = "use_direct_oi = true\narena_gb = 2\nmodel_path = 'x'\n[stores]\na = 1\n[plugin.disk]\n";
        assertEquals(List.of(), problems(foreign));
        assertEquals(
                List.of(
                        "c.toml:1:1: use_direct_oi: is not a key of this program and has no effect; did you mean"
                                + " use_direct_io?",
                        "c.toml:2:1: arena_gb: is not a key of this program and has no effect; it belongs into the"
                                + " table [store]",
                        "c.toml:3:1: model_path: is not a key of this program and has no effect",
                        "c.toml:4:1: stores: is not a key of this program and has no effect; did you mean store?"),
                warnings(foreign));
    }

    @Test
    void aliasesAreOneSetting() {
        assertEquals(
                5L << 30, parse("[store]\nmax_local_cpu_size = 5.0").store().arenaBytes());
        assertEquals(
                List.of("c.toml:2:1: store.l1_size_gb: is another spelling of arena_gb; better write that"),
                warnings("[store]\nl1_size_gb = 2"));
        assertEquals(
                List.of("c.toml:3:1: store.l1_size_gb: l1_size_gb and arena_gb (c.toml:2:1) are one setting and have"
                        + " different values; keep one of them"),
                problems("[store]\narena_gb = 1\nl1_size_gb = 2"));
        assertEquals(List.of(), problems("[store]\narena_gb = 2\nl1_size_gb = 2"));
    }

    /** C08 and decision 16. */
    @Test
    void callBeforeFileBeforeDefault() {
        HostConfig file = parse("[store]\nnum_workers = 2");
        assertEquals(2, file.store().numWorkers());
        HostConfig call = file.withCall("store.num_workers", "9").withCall("store.num_workers", "8");
        assertEquals(8, call.store().numWorkers());
        assertEquals(2, file.store().numWorkers(), "the first one stays as it was");
        assertEquals("call", origin(call, "store.num_workers"));
        assertEquals("c.toml:2:1", origin(file, "store.num_workers"));
        assertEquals("default", origin(parse(""), "store.num_workers"));
        assertEquals(
                List.of("call: store.num_workers: must be a whole number, not \"x\""),
                file.withCall("store.num_workers", "x").validate(List.of()).stream()
                        .map(ConfigProblem::toString)
                        .toList());
        assertEquals(
                List.of("call: store.num_worker: unknown key; did you mean num_workers?"),
                file.withCall("store.num_worker", "1").validate(List.of()).stream()
                        .map(ConfigProblem::toString)
                        .toList());
        assertTrue(file.withCall("plugin.posix", "1")
                .validate(List.of())
                .toString()
                .contains("plugin.NAME.KEY"));
    }

    @ParameterizedTest
    @CsvSource({"0,false", "1,true", "true,true", "FALSE,false", "yes,true", "No,false"})
    void directIoVariableOverridesTheFileButNotTheCall(String text, boolean expected) {
        Map<String, String> environment = Map.of("SGLANG_HICACHE_NIXL_USE_DIRECT_IO", text);
        HostConfig config = HostConfig.parse("use_direct_io = " + !expected, "c.toml", environment);
        assertEquals(expected, config.store().useDirectIo());
        assertEquals("$SGLANG_HICACHE_NIXL_USE_DIRECT_IO", origin(config, "use_direct_io"));
        assertEquals(
                !expected,
                config.withCall("use_direct_io", "" + !expected).store().useDirectIo());
    }

    @Test
    void aWrongOrEmptyDirectIoVariable() {
        HostConfig wrong = HostConfig.defaults(Map.of("SGLANG_HICACHE_NIXL_USE_DIRECT_IO", "off"));
        assertEquals(
                "$SGLANG_HICACHE_NIXL_USE_DIRECT_IO: use_direct_io: must be true or false, not \"off\"",
                assertThrows(ConfigException.class, wrong::store).getMessage());
        HostConfig empty =
                HostConfig.parse("use_direct_io = false", "c.toml", Map.of("SGLANG_HICACHE_NIXL_USE_DIRECT_IO", ""));
        assertFalse(empty.store().useDirectIo());
    }

    private static String origin(HostConfig config, String key) {
        return config.resolved().stream()
                .filter(value -> value.key().equals(key))
                .findFirst()
                .orElseThrow()
                .origin();
    }
}
