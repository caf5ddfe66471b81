package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.nixlkv.nativeio.NixlSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsAndStatusTest {
    @TempDir
    Path directory;

    @Test
    void overviewShowsEngineSegmentsAndVerdict() {
        Cli.Ended ended = new Cli().run("plugins");
        assertEquals(0, ended.code(), ended.err());
        String line = ended.outLines().stream()
                .filter(text -> text.contains(" nio "))
                .findFirst()
                .orElseThrow();
        for (String part : new String[] {"DRAM_SEG", "FILE_SEG", "accepted", "yes"}) {
            assertTrue(line.contains(part), line);
        }
    }

    @Test
    void rejectedJarsAreListedWithTheirReason() throws Exception {
        Files.writeString(directory.resolve("broken.jar"), "not a jar");
        Cli.Ended ended = new Cli().run("plugins", "--plugins", directory);
        assertEquals(0, ended.code());
        assertTrue(ended.outLines().stream().anyMatch(line -> line.startsWith("  broken.jar: ")), ended.out());
        JsonNode document =
                new Cli().run("--plugins", directory, "plugins", "--json").json();
        assertEquals("broken.jar", document.get("rejected").get(0).get("jar").asText());
        assertEquals("POSIX", document.get("plugins").get(0).get("name").asText());
    }

    @Test
    void unusableEngineSaysWhy() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Cli.Ended ended = new Cli(Map.of("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR", file.toString()), new byte[0])
                .run("plugins", "--json");
        JsonNode engine = ended.json().get("plugins").get(0).get("engines").get(0);
        assertFalse(engine.get("available").asBoolean(), ended.out());
        assertTrue(engine.get("unavailable").asText().contains(file.toString()), ended.out());
        assertTrue(engine.get("accepted").asBoolean());
    }

    @Test
    void nixlThatIsNotWhereTheEnvironmentSaysIsMissedWithHowToInstallIt() {
        assumeTrue(NixlSearch.run(Map.of()).installation().isEmpty(), "this machine has NIXL where it is always found");
        Cli.Ended ended = new Cli(Map.of("NIXL_HOME", directory.toString()), new byte[0]).run("plugins");
        assertEquals(1, ended.code());
        assertTrue(ended.out().contains("POSIX"), ended.out());
        assertTrue(ended.err().contains("NIXL_HOME = " + directory), ended.err());
        assertTrue(ended.err().contains("pip install nixl-cu12"), ended.err());
    }

    @Test
    void longReasonsAreToldOnceBelowTheTable() {
        Notes notes = new Notes();
        String reason = "NIXL was not found: NIXL_HOME is not set";
        assertEquals("no [1]", notes.cell("no", reason));
        assertEquals("no [2]", notes.cell("no", "bucket or AWS_DEFAULT_BUCKET is required"));
        assertEquals("no [1]", notes.cell("no", reason));
        assertEquals("no: short", notes.cell("no", "short"));
        Cli.Ended ended = new Cli().run("plugins");
        assertTrue(ended.outLines().stream().noneMatch(line -> line.endsWith(" ")), ended.out());
        assertTrue(
                ended.outLines().stream().filter(line -> !line.startsWith("[")).allMatch(line -> line.length() <= 160),
                ended.out());
    }

    @Test
    void parametersOfOnePlugin() throws Exception {
        Cli.Ended ended = new Cli().run("plugins", "posix");
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.outLines().stream().anyMatch(line -> line.contains("file_path") && line.contains("paths")));
        JsonNode parameters = new Cli().run("plugins", "posix", "--json").json().get("parameters");
        assertTrue(parameters.size() >= 4);
        assertEquals("file_path", parameters.get(0).get("name").asText());
    }

    @Test
    void statusProbesAndCounts() throws Exception {
        Path store = directory.resolve("store");
        Path config = Cli.config(directory, store, "max_capacity_gb = 1.0");
        Path in = Files.write(directory.resolve("in"), new byte[4096]);
        new Cli().run("put", "--config", config, "m@00000001@0@00", in);
        Cli.Ended ended = new Cli().run("status", "--json", "--config", config);
        assertEquals(0, ended.code(), ended.err());
        JsonNode document = ended.json();
        assertTrue(document.get("probe").get("ok").asBoolean());
        assertTrue(document.get("status").get("is_healthy").asBoolean());
        assertEquals("FILE", document.get("status").get("storage_type").asText());
        assertEquals("POSIX", document.get("status").get("backend").asText());
        assertEquals(store.toString(), document.get("status").get("file_path").asText());
        assertEquals(1, document.get("usage").get("objects").asInt(), "the probe's own object is gone");
        assertEquals(4096, document.get("usage").get("bytes").asInt());
        assertEquals(
                4096 / (double) (1 << 30), document.get("usage").get("fraction").asDouble());
        boolean written = false;
        for (JsonNode value : document.get("resolved")) {
            if (value.get("key").asText().equals("store.max_capacity_gb")) {
                written = value.get("origin").asText().startsWith(config.toString() + ":3");
            }
            if (value.get("key").asText().equals("store.arena_gb")) {
                assertEquals("default", value.get("origin").asText(), "the command's own arena is not configuration");
            }
        }
        assertTrue(written, document.get("resolved").toString());
        assertEquals("create", document.get("status").get("write_mode").asText());
        Cli.Ended text = new Cli().run("status", "--config", config);
        assertTrue(text.out().contains("probe: ok, write "), text.out());
        assertTrue(text.out().contains("usage: 1 object, 4096 bytes"), text.out());
        assertTrue(text.outLines().contains("write_mode: create"), text.out());
        assertTrue(
                text.outLines().contains("arena_bytes: 1048576 (this command's own; a host takes store.arena_gb)"),
                text.out());
        int counters = text.outLines().indexOf("counters:");
        assertTrue(counters > 0 && text.outLines().get(counters + 1).matches("  \\w+: \\d+"), text.out());
        assertFalse(text.out().contains("={") || text.out().contains(": {"), text.out());
    }

    @Test
    void placeThatNobodyNamedIsSaid() throws Exception {
        Path store = directory.resolve("silent");
        Cli cli = new Cli(Map.of("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR", store.toString()), new byte[0]);
        Path in = Files.write(directory.resolve("in"), new byte[10]);
        String said = "nixlkv: no configuration is given; using " + store + "\n";
        Cli.Ended put = cli.run("put", "m@00000001@0@00", in);
        assertEquals(0, put.code(), put.err());
        assertEquals(said, put.err());
        assertEquals(said, cli.run("ls").err());
        Path config = Cli.config(directory, store);
        assertEquals("", new Cli().run("ls", "--config", config).err());
    }
}
