package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
            {"plugins", "--plugins", directory.resolve("no-folder")},
            {"config", "check", directory.resolve("absent.toml")},
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
        Path config = Cli.config(directory, Files.createDirectory(directory.resolve("store")));
        Cli.Ended ended = new Cli().run("exists", "--config", config, "not-a-key");
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains("not-a-key"), ended.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rm", "exists"})
    void keyGivenTwiceIsWrongUsage(String command) throws Exception {
        Path config = Cli.config(directory, Files.createDirectory(directory.resolve("store")));
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
    void unknownCommandIsNamedWithTheNearestOne() {
        assertEquals(
                "nixlkv: there is no command foo; see nixlkv --help\n",
                new Cli().run("foo").err());
        assertEquals(
                "nixlkv: there is no command putt; did you mean put?; see nixlkv --help\n",
                new Cli().run("putt").err());
    }

    @Test
    void whoNamedTheAbsentFileIsTold() {
        Cli cli = new Cli(java.util.Map.of("LMCACHE_CONFIG_FILE", "/nope"), new byte[0]);
        assertEquals(
                "nixlkv: LMCACHE_CONFIG_FILE names /nope, and there is no such file; correct or unset it\n",
                cli.run("ls").err());
        assertEquals(
                "nixlkv: CONFIG: there is no file nope; give FILE, @FILE or JSON\n",
                new Cli().run("config", "check", "nope").err());
    }

    @Test
    void optionsAreNamedWhereTheyAreWrong() throws Exception {
        Path config = Cli.config(directory, directory.resolve("store"));
        Cli.Ended ended = new Cli().run("clean", "--config", config, "--high-watermark", 50, "--low-watermark", 60);
        assertEquals(2, ended.code());
        assertEquals(
                "nixlkv: --high-watermark: 0 < --low-watermark < --high-watermark <= 100 must hold, and they are 60 and"
                        + " 50; correct them\n",
                ended.err());
    }

    /** A typo in file_path must not pass for an empty store, nor leave a directory. */
    @Test
    void directoryThatDoesNotExistIsToldToReaders() throws Exception {
        Path absent = directory.resolve("typo/l2");
        Path config = Cli.config(directory, absent);
        Object[][] lines = {
            {"ls", "--config", config},
            {"exists", "--config", config, KEY},
            {"rm", "--config", config, KEY},
            {"get", "--config", config, KEY, directory.resolve("out")},
        };
        for (Object[] line : lines) {
            Cli.Ended ended = new Cli().run(line);
            assertEquals(1, ended.code(), ended.err());
            assertEquals(
                    "nixlkv: file_path: " + absent
                            + " does not exist, so nothing is stored there; correct it, or store something first\n",
                    ended.err());
        }
        assertFalse(Files.exists(absent.getParent()));
    }

    /** Plugins throw errors too; nobody but who asks for it gets a stack trace. */
    @Test
    void errorOfAPluginIsOneSentence() {
        Complaints complaints = complaints("ls");
        assertEquals(1, complaints.unexpected(new NoClassDefFoundError("com/vendor/Missing")));
        assertEquals(
                "nixlkv: a class is missing or does not fit, in a plugin or in the distribution:"
                        + " java.lang.NoClassDefFoundError: com/vendor/Missing; repeat with -vv to see where\n",
                said.toString(StandardCharsets.UTF_8));
        said.reset();
        assertEquals(1, complaints("ls", "-vv").unexpected(new StackOverflowError()));
        assertTrue(said.toString(StandardCharsets.UTF_8).contains("\tat "));
    }

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Complaints complaints(String... args) {
        PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new Complaints(args, new Surroundings(System.in, System.out, err, java.util.Map.of(), directory, false));
    }

    @Test
    void stackTraceOnlyWhenAskedTwice() {
        assertFalse(new Cli().run("put", KEY, "/no/such").err().contains("\tat "));
        assertTrue(new Cli().run("-vv", "put", KEY, "/no/such").err().contains("\tat "));
    }
}
