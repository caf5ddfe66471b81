package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a stranger runs it. */
class DistributionIT {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @TempDir
    Path directory;

    @Test
    void pluginsNamesTheJarItsEngineSegmentsAndVerdict() throws IOException {
        Distribution.Run table = Distribution.nixlkv("plugins");
        assertEquals(0, table.exit(), table::toString);
        for (String part : List.of("POSIX", "nixlkv-posix-plugin-", "nio", "DRAM_SEG", "FILE_SEG", "accepted")) {
            assertTrue(table.out().contains(part), () -> part + " is not in\n" + table);
        }
        Distribution.Run document = Distribution.nixlkv("plugins", "--json");
        assertTrue(JSON.readTree(document.out()).toString().contains("POSIX"), document::toString);
    }

    @Test
    void benchWithoutConfigurationVerifiesOnPosixPickedByAuto() throws IOException {
        Distribution.Run table = Distribution.nixlkv("bench", "--rounds", "2", "--warmup-rounds", "1");
        assertEquals(0, table.exit(), table::toString);
        assertTrue(table.out().contains("POSIX"), table::toString);
        Distribution.Run document = Distribution.nixlkv("bench", "--json", "--rounds", "2", "--warmup-rounds", "1");
        assertEquals(0, document.exit(), document::toString);
        JsonNode metrics = JSON.readTree(document.out()).get("metrics");
        assertEquals("store", metrics.get("op_0").get("operation").asText());
        assertTrue(metrics.get("op_0").get("throughput_p50_mbps").asDouble() > 0, document::toString);
        assertEquals(
                metrics.get("op_0").get("total_keys").asInt(),
                metrics.get("op_0").get("total_success").asInt());
    }

    @Test
    void aBatchOf4097ObjectsPassesInASmallHeap() {
        Distribution.Run run = Distribution.nixlkv(
                Map.of("NIXLKV_OPTS", "-Xmx128m"),
                "bench",
                "--num-keys",
                "4097",
                "--in-flight",
                "1",
                "--data-size-kb",
                "4",
                "--rounds",
                "1",
                "--warmup-rounds",
                "0");
        assertEquals(0, run.exit(), run::toString);
    }

    @Test
    void putGetExistsLsRmRoundTrip() throws IOException {
        Path config = config("layout = \"raw\"");
        Path value = Files.write(directory.resolve("value"), new byte[] {1, 2, 3});
        Path back = directory.resolve("back");
        assertEquals(
                0,
                Distribution.nixlkv("put", "--config", config.toString(), "a/b", value.toString())
                        .exit());
        Distribution.Run exists = Distribution.nixlkv("exists", "--config", config.toString(), "a/b", "a/c");
        assertEquals(1, exists.exit(), exists::toString);
        assertTrue(exists.out().contains("1 of 2"), exists::toString);
        Distribution.Run get = Distribution.nixlkv("get", "--config", config.toString(), "a/b", back.toString());
        assertEquals(0, get.exit(), get::toString);
        assertEquals(-1, Files.mismatch(value, back));
        assertTrue(
                Distribution.nixlkv("ls", "--config", config.toString()).out().contains("a/b"));
        assertEquals(
                0,
                Distribution.nixlkv("rm", "--config", config.toString(), "a/b").exit());
        Distribution.Run gone = Distribution.nixlkv("get", "--config", config.toString(), "a/b", back.toString());
        assertEquals(1, gone.exit(), gone::toString);
    }

    /** Names outside ASCII, written and read where the locale says ASCII only. */
    @Test
    void namesOutsideAsciiWorkWithoutALocale() throws IOException {
        Path config = config("layout = \"raw\"");
        Path value = Files.write(directory.resolve("value"), new byte[] {1, 2, 3});
        String key = "模型/キー-ß-😀";
        Map<String, String> ascii = Map.of("LANG", "C", "LC_ALL", "C");
        Distribution.Run put = Distribution.nixlkv(ascii, "put", "--config", config.toString(), key, value.toString());
        assertEquals(0, put.exit(), put::toString);
        Distribution.Run exists =
                Distribution.nixlkv(Map.of("LC_ALL", "C.UTF-8"), "exists", "--config", config.toString(), key);
        assertEquals(0, exists.exit(), exists::toString);
    }

    @Test
    void aThirdPartyJarIsDroppedIn() throws IOException {
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        Files.copy(sampleJar(), plugins.resolve("sample.jar"));
        Files.writeString(plugins.resolve("broken.jar"), "not a zip");
        Distribution.Run table = Distribution.nixlkv("--plugins", plugins.toString(), "plugins");
        assertEquals(0, table.exit(), table::toString);
        assertTrue(table.out().contains("SAMPLE_MEMORY"), table::toString);
        assertTrue(table.out().contains("broken.jar"), table::toString);
        Path config = Files.writeString(
                directory.resolve("sample.toml"), "[store]\nlayout = \"raw\"\n[plugin.sample_memory]\nactive = true\n");
        Distribution.Run bench = Distribution.nixlkv(
                "--plugins",
                plugins.toString(),
                "bench",
                "--config",
                config.toString(),
                "--rounds",
                "1",
                "--warmup-rounds",
                "0");
        assertEquals(0, bench.exit(), bench::toString);
        assertTrue(bench.out().contains("SAMPLE_MEMORY"), bench::toString);
    }

    @Test
    void mistakesEndWithCode2AndOneLineEach() throws IOException {
        Path config = Files.writeString(
                directory.resolve("bad.toml"),
                "[store]\nlayuot = \"raw\"\nnum_workers = 0\n[plugin.posix]\nactive = \"maybe\"\n");
        Distribution.Run run = Distribution.nixlkv("status", "--config", config.toString());
        assertEquals(2, run.exit(), run::toString);
        assertTrue(run.err().contains("bad.toml:2"), run::toString);
        assertTrue(run.err().contains("bad.toml:3"), run::toString);
        assertTrue(run.err().contains("bad.toml:5"), run::toString);
        assertTrue(run.err().contains("layout"), run::toString);
        assertFalse(run.err().contains("\tat "), run::toString);
    }

    @Test
    void statusProbesTheStore() throws IOException {
        Path config = config("layout = \"raw\"");
        Distribution.Run run = Distribution.nixlkv("status", "--json", "--config", config.toString());
        assertEquals(0, run.exit(), run::toString);
        JsonNode status = JSON.readTree(run.out());
        assertTrue(status.toString().contains("is_healthy"), run::toString);
        try (Stream<Path> left = Files.list(directory.resolve("store"))) {
            assertEquals(
                    List.of(),
                    left.filter(path -> !path.getFileName().toString().startsWith("."))
                            .toList(),
                    "the probe left something");
        }
    }

    private Path config(String store) throws IOException {
        return Files.writeString(directory.resolve("nixlkv.toml"), """
                [store]
                %s
                [plugin.posix]
                active = true
                file_path = "%s"
                """.formatted(store, directory.resolve("store")));
    }

    private static Path sampleJar() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of("../plugins/sample-plugin/target"))) {
            return jars.filter(jar -> jar.getFileName().toString().matches("nixlkv-sample-plugin-[0-9].*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
