package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExitCodesTest {
    private static final String KEY = "org/model@0000002a@7@00112233";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"plugins", "bench", "put", "get", "exists", "rm", "ls", "status"})
    void everyCommandHasHelp(String command) {
        Cli.Ended help = new Cli().run(command, "--help");
        assertEquals(0, help.code(), help.err());
        assertTrue(help.out().startsWith("Usage: nixlkv " + command), help.out());
        assertTrue(help.out().contains("--json"), help.out());
        assertTrue(help.out().contains("2   wrong usage"), help.out());
    }

    @Test
    void helpOfTheWholeListsEveryCommand() {
        Cli.Ended help = new Cli().run("--help");
        assertEquals(0, help.code());
        for (String command : new String[] {"plugins", "bench", "put", "get", "exists", "rm", "ls", "status"}) {
            assertTrue(help.outLines().stream().anyMatch(line -> line.startsWith("  " + command)), help.out());
        }
    }

    @Test
    void versionIsNoError() {
        Cli.Ended version = new Cli().run("--version");
        assertEquals(0, version.code());
        assertTrue(version.out().startsWith("nixlkv "), version.out());
    }

    @Test
    void wrongUsageIsTwoWithOneLine() {
        Object[][] lines = {
            {},
            {"frobnicate"},
            {"plugins", "--frobnicate"},
            {"put", KEY},
            {"exists"},
            {"bench", "--num-keys", "zero"},
            {"bench", "--num-keys", "0"},
            {"bench", "--l1-align-bytes", "3000"},
            {"bench", "--data-size-kb", "1048577"},
            {"bench", "--data-size-kb", "1048576", "--num-keys", "100000", "--rounds", "1", "--warmup-rounds", "0"},
            {"ls", "--config", "{\"type\":\"nixl_native\"}"},
            {"ls", "--config", directory.resolve("absent.toml")},
            {"put", KEY, directory.resolve("absent")},
            {"put", KEY, directory},
            {"put", KEY, "/dev/zero"},
            {"get", KEY, directory.resolve("no/such/directory/file")},
            {"get", "--json", KEY, "-"},
            {"plugins", "NO_SUCH_PLUGIN"},
        };
        for (Object[] line : lines) {
            Cli.Ended ended = new Cli().run(line);
            String shown = java.util.Arrays.toString(line);
            assertEquals(2, ended.code(), shown + ": " + ended.err());
            assertEquals(1, ended.errLines().size(), shown + ": " + ended.err());
            assertTrue(ended.err().startsWith("nixlkv: "), ended.err());
        }
    }

    @Test
    void badConfigurationHasOneLineForEachProblem() throws Exception {
        Path file = directory.resolve("bad.toml");
        Files.writeString(
                file,
                "[store]\nnum_workers = 0\nlayuot = \"raw\"\n[plugin.posix]\nactive = true\nfile_pth = \"/tmp/x\"\n");
        Cli.Ended ended = new Cli().run("ls", "--config", "@" + file);
        assertEquals(2, ended.code());
        assertEquals("", ended.out());
        assertEquals(3, ended.errLines().size(), ended.err());
        assertTrue(ended.errLines().get(0).startsWith("nixlkv: " + file + ":2:"), ended.err());
        assertTrue(ended.errLines().get(1).contains("layuot"), ended.err());
        assertTrue(ended.errLines().get(2).contains("file_pth"), ended.err());
        assertFalse(ended.err().contains("\tat "), "no stack trace: " + ended.err());
    }

    @Test
    void errorsAreDocumentsWhenAskedFor() throws Exception {
        Path file = directory.resolve("bad.toml");
        Files.writeString(file, "[store]\nnum_workers = 0\nlayuot = \"raw\"\n");
        JsonNode bad = new Cli().run("status", "--json", "--config", file).json();
        assertTrue(bad.get("error").asText().contains("num_workers"), bad.toString());
        assertEquals("configuration", bad.get("kind").asText());
        assertEquals(2, bad.get("problems").size());
        JsonNode usage = new Cli().run("ls", "--json", "--frobnicate").json();
        assertTrue(usage.get("error").asText().contains("--frobnicate"), usage.toString());
    }

    @Test
    void keyOfAnotherFormIsWrongUsage() throws Exception {
        Path config = Cli.config(directory, directory.resolve("store"));
        Cli.Ended ended = new Cli().run("exists", "--config", config, "not-a-key");
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains("not-a-key"), ended.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rm", "exists"})
    void keyGivenTwiceIsWrongUsage(String command) throws Exception {
        Path config = Cli.config(directory, directory.resolve("store"));
        Cli.Ended ended = new Cli().run(command, "--config", config, KEY, "m@00000001@0@00", KEY);
        assertEquals(2, ended.code(), ended.err());
        assertEquals(1, ended.errLines().size(), ended.err());
        assertEquals(
                "nixlkv: KEY: " + KEY + " is given twice; give every key once",
                ended.errLines().get(0));
    }

    @Test
    void configBeforeTheCommandIsAnsweredWithItsPlace() throws Exception {
        Path config = Cli.config(directory, directory.resolve("store"));
        Cli.Ended ended = new Cli().run("--config", config, "ls");
        assertEquals(2, ended.code(), ended.err());
        assertEquals(1, ended.errLines().size(), ended.err());
        assertTrue(
                ended.err().contains("--config follows the command, as in \"nixlkv ls --config FILE\""), ended.err());
    }

    @Test
    void stackTraceOnlyWhenAskedTwice() {
        assertFalse(new Cli().run("put", KEY, "/no/such").err().contains("\tat "));
        assertTrue(new Cli().run("-vv", "put", KEY, "/no/such").err().contains("\tat "));
    }
}
