package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every layout through the command. */
class LayoutsIT {
    private static final String HASH = "6146050ab782a07eec24014cf1cb93bc2cbe60199bd8016792174bba21790c04";

    @TempDir
    Path directory;

    private String config(String store) throws IOException {
        return Files.writeString(
                        directory.resolve("nixlkv.toml"),
                        "[store]\n" + store + "\n[plugin.posix]\nactive = true\nfile_path = \""
                                + directory.resolve("store") + "\"\n")
                .toString();
    }

    private static Distribution.Run ok(String... arguments) {
        Distribution.Run run = Distribution.nixlkv(arguments);
        assertEquals(0, run.exit(), run::toString);
        return run;
    }

    @ParameterizedTest
    @CsvSource({
        "lmcache, '', org/model@0000002a@7@00112233@s, org-SEP-model@0x0000002a@7@00112233@s.data, ",
        "lmcache-dynamic, org/model, org/model@0000002a@7@00112233, org--model_0000002a_7_00112233.bin, ",
        "lmcache-engine, org/model, org/model@2@1@00112233@half@user%a b, org_model_2_1_00112233_half_user%25a%20b, ",
        "doca-memos, '', org/model@2@1@00112233@half, 597007714fe5522394a388b5395ce972, "
                + "597007714fe5522394a388b5395ce972",
        "hicache, meta-llama/Llama-3.1-8B-Instruct, " + HASH + "_meta-llama-Llama-3.1-8B-Instruct_0_8_v, fa/" + HASH
                + "_meta-llama-Llama-3.1-8B-Instruct_0_8_v, ",
        "raw, '', a/b c, a/b c, ",
    })
    void aKeyIsAFileAndBack(String layout, String model, String key, String file, String listed) throws IOException {
        String config = config("layout = \"" + layout + "\"" + (model.isEmpty() ? "" : "\nmodel = \"" + model + "\""));
        Path value = Files.write(directory.resolve("value"), new byte[] {1, 2, 3});
        ok("put", "--config", config, key, value.toString());
        assertArrayEquals(
                new byte[] {1, 2, 3},
                Files.readAllBytes(directory.resolve("store").resolve(file)));
        ok("exists", "--config", config, key);
        Distribution.Run ls = ok("ls", "--config", config, "--json");
        String shown = listed == null ? key : listed;
        assertEquals(
                shown,
                new ObjectMapper().readTree(ls.out()).at("/objects/0/key").asText(),
                ls::toString);
        ok("get", "--config", config, shown, directory.resolve("back").toString());
        ok("rm", "--config", config, shown);
        ok("status", "--config", config);
        Distribution.Run bench =
                ok("bench", "--config", config, "--num-keys", "2", "--rounds", "1", "--warmup-rounds", "0");
        assertTrue(bench.out().contains("POSIX"), bench::toString);
    }

    @Test
    void aKeyOfAnotherLayoutIsRefusedWithTheForm() throws IOException {
        Distribution.Run run =
                Distribution.nixlkv("exists", "--config", config("layout = \"lmcache-engine\""), "m@00000001@0@0011");
        assertEquals(2, run.exit(), run::toString);
        assertTrue(run.err().contains("model@world@worker@hash@dtype"), run::toString);
    }
}
