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
        Files.createDirectories(directory.resolve("store"));
        Distribution.Run run =
                Distribution.nixlkv("exists", "--config", config("layout = \"lmcache-engine\""), "m@00000001@0@0011");
        assertEquals(2, run.exit(), run::toString);
        assertTrue(run.err().contains("model@world@worker@hash@dtype"), run::toString);
    }

    /** P11: long keys are refused with the rule's name, or stored apart from each other under it. */
    @Test
    void longKeysAreStoredUnderTheLongNameRule() throws IOException {
        Path value = Files.write(directory.resolve("value"), new byte[] {1, 2, 3});
        Path other = Files.write(directory.resolve("other"), new byte[] {4, 5});
        String start = "k".repeat(999);
        Distribution.Run refused =
                Distribution.nixlkv("put", "--config", config("layout = \"raw\""), start + "a", value.toString());
        assertEquals(2, refused.exit(), refused::toString);
        assertTrue(refused.err().contains("long_names"), refused::toString);
        String config = config("layout = \"raw\"\nlong_names = \"hash\"");
        ok("put", "--config", config, start + "a", value.toString());
        ok("put", "--config", config, start + "b", other.toString());
        ok("put", "--config", config, "k".repeat(5000), other.toString());
        Path back = directory.resolve("back");
        ok("get", "--config", config, start + "a", back.toString());
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(back));
        ok("get", "--config", config, start + "b", back.toString());
        assertArrayEquals(new byte[] {4, 5}, Files.readAllBytes(back));
        assertEquals(
                3,
                new ObjectMapper()
                        .readTree(ok("ls", "--config", config, "--json").out())
                        .get("count")
                        .asInt());
    }

    @Test
    void lsSaysWhatOpaqueNamesAre() throws IOException {
        String config = config("layout = \"doca-memos\"");
        Path value = Files.write(directory.resolve("value"), new byte[] {1});
        ok("put", "--config", config, "m@1@0@ff@half", value.toString());
        Distribution.Run ls = ok("ls", "--config", config);
        assertTrue(ls.err().contains("1 names do not tell their key in layout doca-memos"), ls::toString);
    }
}
