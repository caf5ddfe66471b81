package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
    private static final List<String> CONFIG_FIELDS = List.of(
            "l2_adapter_json",
            "num_keys",
            "in_flight",
            "keys_per_round",
            "data_size_kb",
            "data_per_round_mb",
            "measurement_rounds",
            "warmup_rounds",
            "lookup_max_hit_rate");
    private static final List<String> OPERATION_FIELDS = List.of(
            "operation",
            "rounds",
            "rounds_timed_out",
            "keys_per_round",
            "total_keys",
            "total_success",
            "duration_avg_ms",
            "duration_min_ms",
            "duration_max_ms",
            "duration_p50_ms",
            "duration_p99_ms",
            "duration_std_ms",
            "ops_per_sec_avg",
            "latency_per_key_ms");

    @TempDir
    Path directory;

    private static Object[] small(Object... more) {
        Object[] line = new Object[more.length + 9];
        System.arraycopy(
                new Object[] {"bench", "--num-keys", 4, "--in-flight", 2, "--data-size-kb", 8, "--rounds", 3},
                0,
                line,
                0,
                9);
        System.arraycopy(more, 0, line, 9, more.length);
        return line;
    }

    private long files(Path root) throws Exception {
        try (var files = Files.walk(root)) {
            return files.filter(path -> path.toString().endsWith(".data")).count();
        }
    }

    @Test
    void documentHasLmcachesShape() throws Exception {
        Cli.Ended ended = new Cli().run(small("--json"));
        assertEquals(0, ended.code(), ended.err());
        JsonNode document = ended.json();
        assertEquals("L2 Adapter Benchmark Result", document.get("title").asText());
        JsonNode metrics = document.get("metrics");
        CONFIG_FIELDS.forEach(field -> assertNotNull(metrics.get("config").get(field), field));
        assertEquals(8, metrics.get("config").get("keys_per_round").asInt());
        assertEquals(0.06, metrics.get("config").get("data_per_round_mb").asDouble());
        String[] operations = {"store", "lookup", "load"};
        for (int i = 0; i < 3; i++) {
            JsonNode operation = metrics.get("op_" + i);
            OPERATION_FIELDS.forEach(field -> assertNotNull(operation.get(field), field));
            assertEquals(operations[i], operation.get("operation").asText());
            assertEquals(24, operation.get("total_keys").asInt());
            assertEquals(24, operation.get("total_success").asInt());
            assertTrue(operation.get("duration_p50_ms").asDouble() > 0);
            if (i != 1) {
                for (String figure : new String[] {"avg", "min", "max", "p50"}) {
                    assertTrue(operation.get("throughput_" + figure + "_mbps").asDouble() > 0, figure);
                }
                assertEquals(24 * 8192, operation.get("completed_bytes").asLong());
            }
        }
        assertEquals(1.0, metrics.get("op_1").get("actual_hit_rate").asDouble());
        assertTrue(document.get("verified").asBoolean());
        assertEquals(8 * 8192, document.get("verified_bytes").asLong());
        JsonNode selection = document.get("selection");
        assertEquals("POSIX", selection.get("backend").asText());
        assertFalse(selection.get("engine").asText().isEmpty());
        assertEquals("auto", selection.get("selected_by").asText());
        assertFalse(Files.exists(Path.of(selection.get("file_path").asText())), "the temporary directory must be gone");
    }

    @Test
    void tableHasSections() {
        Cli.Ended ended = new Cli().run(small());
        assertEquals(0, ended.code(), ended.err());
        List<String> lines = ended.outLines();
        assertTrue(lines.get(0).contains(" L2 Adapter Benchmark Result "), lines.get(0));
        assertTrue(lines.stream().allMatch(line -> line.length() >= 64), ended.out());
        for (String section : new String[] {"Configuration", "Store", "Lookup", "Load"}) {
            assertTrue(lines.stream().anyMatch(line -> line.contains("- " + section + " -")), section);
        }
        for (String label : new String[] {
            "Duration p99 (ms):", "Throughput p50 (MiB/s):", "Avg latency / key (ms):", "Actual hit rate:"
        }) {
            assertTrue(lines.stream().anyMatch(line -> line.startsWith(label)), label);
        }
        assertTrue(lines.stream().anyMatch(line -> line.matches("Verified objects: +8 of 8")), ended.out());
    }

    @Test
    void verificationCanBeLeftOut() throws Exception {
        for (String option : new String[] {"--no-verify", "--skip-verify"}) {
            JsonNode document = new Cli().run(small("--json", option)).json();
            assertEquals("skipped", document.get("verification").asText());
            assertFalse(document.get("verified").asBoolean());
        }
        assertEquals(
                "passed",
                new Cli()
                        .run(small("--json", "--no-skip-verify"))
                        .json()
                        .get("verification")
                        .asText());
    }

    @Test
    void configuredStoreLosesOnlyWhatWasWritten() throws Exception {
        Path store = directory.resolve("store");
        Path config = Cli.config(directory, store);
        Path in = Files.write(directory.resolve("in"), new byte[100]);
        // An object of bench's own naming that was there before.
        assertEquals(
                0,
                new Cli()
                        .run("put", "--config", config, "bench-model@00000000@0@" + "0".repeat(32), in)
                        .code());
        Cli.Ended refused = new Cli().run(small("--config", config, "--json"));
        assertEquals(1, refused.code(), "an object of another size is in the way");
        assertEquals(1, files(store));

        assertEquals(
                0,
                new Cli()
                        .run("rm", "--config", config, "bench-model@00000000@0@" + "0".repeat(32))
                        .code());
        assertEquals(0, new Cli().run(small("--config", config, "--keep")).code());
        assertEquals(8 * 5, files(store));
        Cli.Ended again = new Cli().run(small("--config", config, "--json"));
        assertTrue(again.err().contains("40 objects were there already"), again.err());
        assertEquals(
                0,
                again.json().get("metrics").get("op_0").get("completed_bytes").asLong());
        assertEquals(8 * 5, files(store), "what others wrote stays");
        assertEquals(1, again.code(), "nothing was stored");
        assertEquals(
                0, again.json().get("metrics").get("op_0").get("total_success").asLong());
        assertEquals(
                "removed; 40 objects of an earlier run stay",
                again.json().get("selection").get("data").asText());
    }

    @Test
    void memoryThatIsTooSmallIsTold() {
        Cli.Ended ended = new Cli().run(small("--l1-size-gb", "0.0001"));
        assertEquals(0, ended.code(), ended.err());
        assertTrue(
                ended.err()
                        .contains(
                                "--l1-size-gb gives 107374 bytes, and the objects of one round need 1048576; these are"
                                        + " taken"),
                ended.err());
    }

    @Test
    void alignmentIsAccepted() throws Exception {
        Cli.Ended ended = new Cli().run(small("--json", "--l1-align-bytes", 4096));
        assertEquals(0, ended.code(), ended.err());
        assertEquals("passed", ended.json().get("verification").asText());
    }

    /** What the machine lacks is failed work, not a wrong configuration. */
    @Test
    void benchOnNixlThatIsNotInstalledFailsAndSaysHowToInstallIt() throws Exception {
        assumeTrue(NixlSearch.run(Map.of()).installation().isEmpty(), "this machine has NIXL where it is always found");
        String before = System.getProperty(NixlSearch.PROPERTY);
        System.setProperty(NixlSearch.PROPERTY, directory.toString());
        try {
            Path config = Cli.config(directory, directory.resolve("store"));
            Files.writeString(config, Files.readString(config) + "engine = \"nixl\"\n");
            Cli.Ended ended = new Cli().run("bench", "--config", config);
            assertEquals(1, ended.code(), ended.err());
            assertEquals(1, new Cli().run("config", "check", config).code(), "the configuration itself is right");
            assertTrue(ended.err().contains("engine nixl, which its table asks for"), ended.err());
            String missing = NativeIo.unavailableReason().orElse("pip install nixl-cu12");
            assertTrue(ended.err().contains(missing), ended.err());
        } finally {
            if (before == null) {
                System.clearProperty(NixlSearch.PROPERTY);
            } else {
                System.setProperty(NixlSearch.PROPERTY, before);
            }
        }
    }
}
