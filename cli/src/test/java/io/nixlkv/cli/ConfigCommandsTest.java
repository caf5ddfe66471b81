package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config check}, the generated files, and the forms in which a configuration is given. */
class ConfigCommandsTest {

    @TempDir
    Path folder;

    @Test
    void checkNamesEveryProblemWithItsPlace() throws IOException {
        Path file = Files.writeString(
                folder.resolve("c.toml"),
                "use_direct_io = \"maybe\"\n[store]\nnum_worker = 1\ndeadline_ms = 0\n[plugin.posix]\nactive = 3\nuse_urring = true\n");
        CommandRun run = CommandRun.run(Map.of(), "config", "check", file.toString());
        assertEquals(ExitCode.USAGE, run.exit());
        assertEquals(5, run.err().lines().count(), run.err());
        assertTrue(
                run.err().contains(file + ":3:1: store.num_worker: unknown key; did you mean num_workers?"), run.err());
        assertTrue(!run.out().contains("ORIGIN"), "no table hides the problems: " + run.out());
        JsonNode document = new ObjectMapper()
                .readTree(CommandRun.run(Map.of(), "config", "check", "@" + file, "--json")
                        .out());
        assertEquals(5, document.get("problems").size());
        assertEquals(3, document.get("problems").get(1).get("line").asInt());
        assertEquals(1, document.get("problems").get(1).get("column").asInt());
        assertEquals(
                "store.num_worker", document.get("problems").get(1).get("key").asText());
    }

    @Test
    void checkShowsTheResolvedModelWithOrigins() {
        CommandRun run = CommandRun.run(
                Map.of(
                        "SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR",
                        folder.resolve("d").toString()),
                "config",
                "check",
                "{\"use_direct_io\": false}");
        assertEquals(ExitCode.OK, run.exit(), run.err());
        assertTrue(run.out().contains("SGLang configuration, no problems"), run.out());
        assertTrue(run.out().matches("(?s).*use_direct_io +false +inline JSON:1:2.*"), run.out());
        assertTrue(run.out().contains("$SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR"), run.out());
        assertTrue(Files.notExists(folder.resolve("d")), "nothing is made");
    }

    /** The flags of LMCache's benchmark, as LMCache's document has them. */
    @Test
    void benchTakesLmcachesOwnCommandLine() throws IOException {
        CommandRun run = CommandRun.run(
                Map.of(),
                "bench",
                "--l2-adapter",
                "{\"type\":\"nixl_native\",\"backend\":\"POSIX\",\"backend_params\":{\"file_path\":\""
                        + folder.resolve("l2") + "\",\"use_direct_io\":\"false\"},\"num_workers\":4}",
                "--num-keys",
                "4",
                "--in-flight",
                "2",
                "--data-size-kb",
                "16",
                "--l1-align-bytes",
                "4096",
                "--warmup-rounds",
                "1",
                "--rounds",
                "2",
                "--no-skip-verify",
                "--json");
        assertEquals(ExitCode.OK, run.exit(), run.err());
        assertEquals(
                16,
                new ObjectMapper()
                        .readTree(run.out())
                        .at("/metrics/op_0/total_success")
                        .asInt());
    }

    /** S02: a secret given in any way appears nowhere, whatever goes wrong. */
    @Test
    void noOutputHoldsASecret() throws IOException {
        String marker = "S3CR3T-marker-123";
        Path toml = Files.writeString(
                folder.resolve("s.toml"),
                "[store]\nlayout = \"raw\"\n[plugin.posix]\nactive = true\nfile_path = \"" + folder.resolve("s")
                        + "\"\n[plugin.obj]\nsecrete_key = \"" + marker + "\"\nsession_token = \"" + marker + "\"\n");
        Path broken = Files.writeString(folder.resolve("b.toml"), "[plugin.obj]\nsecret_key = \"" + marker + "\n");
        Path yaml = Files.writeString(
                folder.resolve("b.yaml"), "plugin:\n  obj:\n    secret_key: \"" + marker + "\n    active: true\n");
        String json =
                "{\"type\":\"nixl_native\",\"backend\":\"OBJ\",\"backend_params\":{\"secret_key\":\"" + marker + "\"}}";
        Path object = Files.writeString(folder.resolve("object"), "x");
        for (String config :
                new String[] {toml.toString(), broken.toString(), "@" + yaml, json, json.replace("}}", "}")}) {
            String[][] lines = {
                {"config", "check", config, "-vv"},
                {"config", "check", config, "--json", "-vv"},
                {"status", "--config", config, "-vv"},
                {"ls", "--config", config, "-vv"},
                {"put", "--config", config, "k", object.toString(), "-vv"},
                {"get", "--config", config, "k", folder.resolve("back").toString(), "-vv"},
                {"exists", "--config", config, "k", "-vv"},
                {"rm", "--config", config, "k", "-vv"},
                {"bench", "--config", config, "--rounds", "1", "--num-keys", "1", "--data-size-kb", "4", "-vv"},
                {"bench", "--l2-adapter", config, "--rounds", "none", "-vv"},
                {"bench", "--l2-adpater", config, "-vv", "--json"},
                {"config", "check", "a", config, "-vv"}
            };
            for (String[] line : lines) {
                CommandRun run = CommandRun.run(Map.of("AWS_SECRET_ACCESS_KEY", marker), line);
                assertTrue(!run.out().contains(marker) && !run.err().contains(marker), () -> line[0] + " " + run);
            }
        }
    }
}
