package io.nixlkv.host.config;

import static io.nixlkv.host.config.SampleStrategies.BOTH;
import static io.nixlkv.host.config.SampleStrategies.BUCKET;
import static io.nixlkv.host.config.SampleStrategies.DISK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PluginTablesTest {

    private static HostConfig parse(String toml, Map<String, String> environment) {
        return HostConfig.parse(toml, "c.toml", environment);
    }

    private static StrategyConfig config(HostConfig host, StrategyInfo info) {
        return host.strategyConfig(host.table(info), info);
    }

    private static List<String> problems(String toml) {
        return parse(toml, Map.of()).validate(BOTH).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void tablesAsWritten() {
        List<PluginTable> tables = parse(
                        "[plugin.hdisk]\nactive = \"True\"\nengine = \"NIO\"\ndepth = 3\n[plugin.Other-One]\nactive = false\nx = 1\n[plugin.bucket]\nengine='auto'",
                        Map.of())
                .plugins();
        assertEquals(
                List.of("hdisk", "Other-One", "bucket"),
                tables.stream().map(PluginTable::name).toList());
        assertEquals(
                List.of(Optional.of(true), Optional.of(false), Optional.empty()),
                tables.stream().map(PluginTable::active).toList());
        assertEquals(
                List.of("nio", "", ""), tables.stream().map(PluginTable::engine).toList());
        assertEquals(new Origin("c.toml", 5, 1), tables.get(1).origin());
        assertEquals(
                List.of(new RawValue("depth", RawValue.Shape.NUMBER, "3", new Origin("c.toml", 4, 1))),
                tables.get(0).values());
        assertEquals(new Origin("c.toml", 3, 1), tables.get(0).engineOrigin());
    }

    @Test
    void valuesFromFileVariableCallAndDefault() {
        Map<String, String> environment = Map.of("DISK_DIR", "/env1, /env2", "DISK_DIRS", "");
        HostConfig none = parse("", environment);
        assertEquals(List.of("/env1", "/env2"), config(none, DISK).paths("file_path"));
        assertEquals("$DISK_DIR", config(none, DISK).origin("file_path"));
        HostConfig file = parse(
                "[plugin.hdisk]\nfile_path = ['/a', '/b']\nuse_uring = 'TRUE'\nmem_config = 'DRAM_ZC'", environment);
        assertEquals(List.of("/a", "/b"), config(file, DISK).paths("file_path"));
        assertEquals("c.toml:2:1", config(file, DISK).origin("file_path"));
        assertEquals("true", config(file, DISK).text("use_uring"), "in one spelling for everybody below");
        assertEquals("dram_zc", config(file, DISK).text("mem_config"));
        assertEquals(8, config(file, DISK).number("depth"));
        assertEquals("default", config(file, DISK).origin("depth"));
        assertFalse(config(file, DISK).given("depth"));
        HostConfig call = file.withCall("plugin.HDISK.file_path", "/c");
        assertEquals(List.of("/c"), config(call, DISK).paths("file_path"));
        assertEquals("call", config(call, DISK).origin("file_path"));
        assertEquals(1, call.plugins().size());
        HostConfig onlyCalls =
                parse("", Map.of()).withCall("plugin.disk.depth", "5").withCall("plugin.disk.active", "true");
        assertEquals(5, config(onlyCalls, DISK).number("depth"));
        assertEquals(Optional.of(true), onlyCalls.plugins().get(0).active());
        assertEquals(Origin.CALL, onlyCalls.plugins().get(0).origin());
    }

    @Test
    void anEmptyTextFallsBackToTheVariable() {
        HostConfig host = parse("[plugin.bucket]\nbucket = \"\"\n", Map.of("AWS_DEFAULT_BUCKET", "b"));
        assertEquals("b", config(host, BUCKET).text("bucket"));
        assertEquals("$AWS_DEFAULT_BUCKET", config(host, BUCKET).origin("bucket"));
    }

    @Test
    void theHostsDirectIoReachesAPluginThatDeclaresIt() {
        assertTrue(config(parse("", Map.of()), DISK).flag("use_direct_io"));
        StrategyConfig off = config(parse("\nuse_direct_io = false\n[plugin.disk]\ndepth=1", Map.of()), DISK);
        assertFalse(off.flag("use_direct_io"));
        assertEquals("c.toml:2:1", off.origin("use_direct_io"));
    }

    /** C01. */
    @Test
    void aMisspeltSecretWorksWithAWarningAndConflictsWithoutShowingEither() {
        HostConfig host = parse("[plugin.bucket]\nsecrete_key = 'minio123'\n", Map.of());
        assertEquals("minio123", config(host, BUCKET).text("secret_key"));
        assertEquals(List.of(), host.validate(BOTH));
        assertEquals(
                List.of("c.toml:2:1: plugin.bucket.secrete_key: is another spelling of secret_key; better write that"),
                host.warnings(BOTH).stream()
                        .filter(w -> !w.key().equals("store.layout"))
                        .map(ConfigProblem::toString)
                        .toList());
        List<String> both = problems("[plugin.bucket]\nsecrete_key = 'minio123'\nsecret_key = 'other'\n");
        assertEquals(
                List.of("c.toml:3:1: plugin.bucket.secret_key: secret_key and secrete_key (c.toml:2:1) are one setting"
                        + " and have different values; keep one of them"),
                both);
    }

    /** C07, C09. */
    @Test
    void unknownKeysOfAPluginAreToldWithTheNearest() {
        assertEquals(
                List.of(
                        "c.toml:2:1: plugin.bucket.bukcet: unknown key; did you mean bucket?",
                        "c.toml:3:1: plugin.bucket.deadline_ms: unknown key here; deadline_ms belongs to the table"
                                + " [store]",
                        "c.toml:4:1: plugin.bucket.l3_cleaner_high_watermark: is a top-level key: it belongs above the"
                                + " first [section]",
                        "c.toml:6:1: plugin.disk.depth: must be in 1 … 64, not \"65\"",
                        "c.toml:7:1: plugin.disk.file_path: names a path twice: \"/a,/a\"",
                        "c.toml:8:1: plugin.disk.acitve: unknown key; did you mean active?"),
                problems("""
                        [plugin.bucket]
                        bukcet = "b"
                        deadline_ms = 5
                        l3_cleaner_high_watermark = 60.0
                        [plugin.disk]
                        depth = 65
                        file_path = ["/a", "/a"]
                        acitve = true
                        """));
        HostConfig host = parse("[plugin.bucket]\nbukcet = 'b'", Map.of());
        ConfigException refused = assertThrows(ConfigException.class, () -> config(host, BUCKET));
        assertEquals("c.toml:2:1: plugin.bucket.bukcet: unknown key; did you mean bucket?", refused.getMessage());
    }

    @Test
    void listsOfPaths() {
        assertTrue(problems("[plugin.disk]\nfile_path = ['/a,b']").get(0).contains("texts without commas"));
        assertTrue(problems("[plugin.disk]\nfile_path = []").get(0).contains("must name at least one path"));
        assertTrue(problems("[plugin.disk]\nfile_path = 5").get(0).contains("not a number"));
        assertTrue(problems("[plugin.disk]\nfile_path = true").get(0).contains("not the boolean true"));
        assertTrue(problems("[plugin.disk.file_path]\na = 1").get(0).contains("not a table"));
    }

    /** Decision 18: what is not in use only warns. */
    @Test
    void mistakesInTablesThatAreNotInUseAreWarnings() {
        String bad = "[plugin.disk]\ndepth = 0\n";
        assertEquals(1, problems(bad).size());
        assertEquals(List.of(), problems(bad + "active = false\n"));
        assertEquals(List.of(), problems(bad + "[plugin.bucket]\nactive = true\n"));
        HostConfig other = parse(bad, Map.of("SGLANG_HICACHE_NIXL_BACKEND_PLUGIN", "bucket"));
        assertEquals(List.of(), other.validate(BOTH));
        assertTrue(other.warnings(BOTH).stream().anyMatch(w -> w.key().equals("plugin.disk.depth") && w.line() == 2));
        assertEquals(
                1,
                parse(bad, Map.of("SGLANG_HICACHE_NIXL_BACKEND_PLUGIN", "HDisk"))
                        .validate(BOTH)
                        .size());
    }

    @Test
    void variablesAreCheckedWithTheirName() {
        HostConfig host = parse("", Map.of("DISK_DIR", "/a,/a"));
        assertEquals(
                "$DISK_DIR: plugin.disk.file_path: names a path twice: \"/a,/a\"",
                assertThrows(ConfigException.class, () -> config(host, DISK)).getMessage());
    }

    @Test
    void resolvedValuesMaskSecretsAndTellTheirOrigin() {
        HostConfig host = parse("[plugin.bucket]\nsecret_key = 'S3CR3T'\nbucket = 'b'", Map.of("ENDPOINT", "http://h"));
        assertEquals(
                List.of(
                        new ShownValue("plugin.bucket.bucket", "b", "c.toml:3:1"),
                        new ShownValue("plugin.bucket.endpoint", "http://h", "$ENDPOINT"),
                        new ShownValue("plugin.bucket.secret_key", "***", "c.toml:2:1"),
                        new ShownValue("plugin.bucket.part_size", "", "default")),
                host.resolved(host.table(BUCKET), BUCKET));
        assertFalse(config(host, BUCKET).toString().contains("S3CR3T"));
        assertTrue(host.resolved().contains(new ShownValue("store.num_workers", "4", "default")));
    }
}
