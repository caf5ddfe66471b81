package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.nativeio.NativeIo;
import io.nixlkv.nativeio.NixlSearch;
import io.nixlkv.plugin.support.nixl.NixlEngine;
import io.nixlkv.plugin.support.testing.NeedsNixl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code engine = "nixl"} on real object stores, by the packed command. */
class NixlCommandIT {
    private static final String STORE = "[store]\nlayout = \"raw\"\narena_gb = 0.0625\nnum_workers = 2\n";

    @TempDir
    Path directory;

    private Path config(String name, ObjectPlace place, String engine) throws IOException {
        return Files.writeString(directory.resolve(name), STORE + place.toml(Map.of("engine", engine)));
    }

    @ParameterizedTest
    @CsvSource({"MINIO, OBJ", "AZURITE, AZURE_BLOB"})
    void objectsThatItStoresAreRightAndReadByTheSdk(ObjectPlace.Server server, String plugin) throws IOException {
        NeedsNixl.Condition.useInstalled();
        Optional<String> problem = NixlEngine.problem(plugin);
        assumeTrue(problem.isEmpty(), () -> problem.orElse(""));
        ObjectPlace place = server.place();
        Map<String, String> nixl = Optional.ofNullable(System.getProperty(NixlSearch.PROPERTY))
                .map(home -> Map.of("NIXL_HOME", home))
                .orElse(Map.of());
        String byNixl = config("nixl.toml", place, "nixl").toString();
        String bySdk = config("sdk.toml", place, "sdk").toString();

        byte[] value = new byte[(1 << 20) + 3];
        new Random(7).nextBytes(value);
        Path file = Files.write(directory.resolve("value"), value);
        Distribution.Run put = Distribution.nixlkv(nixl, "put", "--config", byNixl, "a/b", file.toString());
        assertEquals(0, put.exit(), put::toString);
        for (String config : List.of(bySdk, byNixl)) {
            Path back = directory.resolve("back");
            Distribution.Run get = Distribution.nixlkv(
                    nixl, "get", "--config", config, "--size", Integer.toString(value.length), "a/b", back.toString());
            assertEquals(0, get.exit(), get::toString);
            assertEquals(-1, Files.mismatch(file, back), config);
            Files.delete(back);
        }

        Distribution.Run bench = Distribution.nixlkv(
                nixl,
                "bench",
                "--json",
                "--config",
                byNixl,
                "--num-keys",
                "8",
                "--in-flight",
                "2",
                "--data-size-kb",
                "64",
                "--rounds",
                "1",
                "--warmup-rounds",
                "0");
        assertEquals(0, bench.exit(), bench::toString);
        JsonNode document = new ObjectMapper().readTree(bench.out());
        assertEquals("nixl", document.findValue("engine").asText(), bench::toString);
        assertEquals(
                16, document.get("metrics").get("op_0").get("total_success").asInt(), bench::toString);
        assertFalse(bench.toString().contains(place.secret()), "a secret is shown");
    }

    /** A configuration that asks for it is right, but the machine lacks it: status 1 and one sentence. */
    @ParameterizedTest
    @CsvSource({
        "OBJ, obj, 'bucket = \"abc\", endpoint_override = \"127.0.0.1:9\", access_key = \"a\", secret_key = \"s\"'",
        "AZURE_BLOB, azure_blob, 'container_name = \"abc\", account_url = \"http://127.0.0.1:9/acc\"'"
    })
    void withoutNixlItIsRefusedWithTheWayToGetIt(String plugin, String table, String settings) throws IOException {
        assumeTrue(NixlSearch.run(Map.of()).installation().isEmpty(), "NIXL is installed for the whole system");
        Path config = Files.writeString(
                directory.resolve("store.toml"),
                STORE + "[plugin." + table + "]\nactive = true\nengine = \"nixl\"\n" + settings.replace(", ", "\n")
                        + "\n");
        Map<String, String> without = Stream.of(
                        "NIXL_HOME",
                        "NIXL_PREFIX",
                        "NIXL_LIBRARY_DIR",
                        "NIXL_PLUGIN_DIR",
                        "LD_LIBRARY_PATH",
                        "PYTHONPATH",
                        "VIRTUAL_ENV",
                        "CONDA_PREFIX",
                        "HOME")
                .collect(Collectors.toMap(name -> name, name -> ""));
        for (String command : List.of("bench", "status")) {
            Distribution.Run run = Distribution.nixlkv(without, command, "--config", config.toString());
            assertEquals(1, run.exit(), run::toString);
            assertEquals("", run.out());
            List<String> told = run.err()
                    .lines()
                    .filter(line -> !line.contains("better give it by the environment"))
                    .toList();
            assertEquals(1, told.size(), run::toString);
            List<String> lacking = NativeIo.unavailableReason()
                    .map(List::of)
                    .orElse(List.of("NIXL was not found: NIXL_HOME is not set", "pip install nixl-cu12"));
            assertTrue(told.get(0).contains(plugin + " is not usable: engine nixl"), run::toString);
            for (String words : lacking) {
                assertTrue(told.get(0).contains(words), () -> run + "\ndoes not say " + words);
            }
        }
    }
}
