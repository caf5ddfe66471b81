package io.nixlkv.host.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file as bytes and as TOML: C11, C12, S02. */
class TomlSyntaxTest {
    @TempDir
    Path folder;

    private static List<String> problems(String toml) {
        return HostConfig.parse(toml, "c.toml", Map.of()).validate(SampleStrategies.BOTH).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    private HostConfig load(byte[] bytes) throws IOException {
        return HostConfig.load(Files.write(folder.resolve("c.toml"), bytes), Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "use_direct_io = false\n[store]\nnum_workers = 3\n",
                "use_direct_io = false\r\n[store]\r\nnum_workers = 3\r\n",
                "use_direct_io = false\n[store]\nnum_workers = 3",
                "\uFEFFuse_direct_io = false\n[store]\nnum_workers = 3",
                "\uFEFFuse_direct_io = false\r\n[store]\r\nnum_workers = 3"
            })
    void marksAndLineEndsMakeNoDifference(String text) throws IOException {
        HostConfig config = load(text.getBytes(StandardCharsets.UTF_8));
        assertEquals(3, config.store().numWorkers());
        assertFalse(config.store().useDirectIo());
        assertEquals(
                folder.resolve("c.toml") + ":3:1",
                config.resolved().stream()
                        .filter(v -> v.key().equals("store.num_workers"))
                        .findFirst()
                        .orElseThrow()
                        .origin());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", "# only a comment", "\n\n", "\r\n# x\r\n"})
    void anEmptyFileIsNoSettings(String text) throws IOException {
        HostConfig config = load(text.getBytes(StandardCharsets.UTF_8));
        assertEquals(List.of(), config.validate(List.of()));
        assertEquals(List.of(), config.warnings());
        assertEquals(HostConfig.defaults(Map.of()).store(), config.store());
    }

    @Test
    void otherEncodingsAreNamed() {
        String file = folder.resolve("c.toml").toString();
        for (java.nio.charset.Charset charset :
                List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            ConfigException refused = assertThrows(ConfigException.class, () -> load("[store]\n".getBytes(charset)));
            assertEquals(file + ": is UTF-16; save it as UTF-8", refused.getMessage());
        }
        ConfigException latin =
                assertThrows(ConfigException.class, () -> load("# é".getBytes(StandardCharsets.ISO_8859_1)));
        assertEquals(file + ": is not UTF-8; save it as UTF-8", latin.getMessage());
    }

    @Test
    void filesThatCannotBeRead() {
        Path missing = folder.resolve("none.toml");
        assertEquals(
                missing + ": there is no such file; check the path given as --config",
                assertThrows(ConfigException.class, () -> HostConfig.load(missing, Map.of()))
                        .getMessage());
        assertEquals(
                folder + ": is a directory; give the configuration file inside it",
                assertThrows(ConfigException.class, () -> HostConfig.load(folder, Map.of()))
                        .getMessage());
    }

    @Test
    void duplicatesAreRefusedAtTheSecondPlace() {
        assertEquals(
                List.of("c.toml:3:1: num_workers: is defined twice, first in line 2; keep one of them"),
                problems("[store]\nnum_workers = 1\nnum_workers = 2\n"));
        assertEquals(
                List.of("c.toml:3:1: plugin.bucket: is defined twice, first in line 1; keep one of them"),
                problems("[plugin.bucket]\nbucket = 'a'\n[plugin.bucket]\nendpoint = 'b'\n"));
        assertEquals(
                List.of("c.toml:2:1: plugin.bucket: is defined twice, first in line 1; keep one of them"),
                problems("plugin.bucket.bucket = 'a'\n[plugin.bucket]\nendpoint = 'b'\n"));
        assertEquals(
                List.of("c.toml:3:1: plugin.DISK: is the same plugin as [plugin.disk] (c.toml:1:1); keep one table"),
                problems("[plugin.disk]\ndepth = 1\n[plugin.DISK]\ndepth = 2\n"));
        assertEquals(
                List.of("c.toml:3:1: plugin.hdisk: is the same plugin as [plugin.disk] (c.toml:1:1); keep one table"),
                problems("[plugin.disk]\ndepth = 1\n[plugin.hdisk]\ndepth = 2\n"));
    }

    @Test
    void syntaxAndMeaningAreToldTogether() {
        assertEquals(
                List.of(
                        "c.toml:1:17: is not TOML here; expected a value",
                        "c.toml:3:1: store.num_worker: unknown key; did you mean num_workers?",
                        "c.toml:4:1: store.deadline_ms: must be in 1 … 86400000, not \"0\"",
                        "c.toml:5:8: is not TOML here; expected ]",
                        "c.toml:7:1: plugin.disk.depht: unknown key; did you mean depth?"),
                problems(
                                "use_direct_io = yes\n[store]\nnum_worker = 1\ndeadline_ms = 0\n[plugin\n[plugin.disk]\ndepht = 1\n")
                        .stream()
                        .toList());
    }

    @Test
    void aMissingValueCausesNoFollowingErrors() {
        assertEquals(
                List.of("c.toml:2:29: is not TOML here; expected a value"),
                problems("l3_cleaner_high_watermark = 60\nl3_cleaner_low_watermark =  \n"));
    }

    @Test
    void wrongTables() {
        assertEquals(List.of("c.toml:1:1: store: must be the table [store]"), problems("store = 1"));
        assertEquals(List.of("c.toml:1:1: store: must be the table [store]"), problems("[[store]]\na = 1"));
        assertEquals(
                List.of("c.toml:1:1: plugin: must be one table [plugin.NAME] for each plugin"),
                problems("plugin = 'disk'"));
        assertEquals(
                List.of("c.toml:2:1: plugin.depth: a plugin's keys go into its own table [plugin.NAME], not into"
                        + " [plugin]"),
                problems("[plugin]\ndepth = 1"));
    }

    /** Whatever the mistake, the parser's view of a secret is not repeated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret_key = S3CR3T-marker-123",
                "secret_key \"S3CR3T-marker-123\"",
                "secret_key = \"S3CR3T-marker-123",
                "secret_key = 'x' S3CR3T-marker-123",
                "secret_key = \"\\qS3CR3T-marker-123\"",
                "secret_key = \"a\"S3CR3T-marker-123",
                "secret_key : S3CR3T-marker-123",
                "secret_key = [\"S3CR3T-marker-123\"]",
                "secret_key = {S3CR3T-marker-123 = 1}",
                "part_size = \"S3CR3T-marker-123\"",
                "secret_key = \"S3CR3T-marker-123\"\nsecrete_key = \"S3CR3T-marker-124\""
            })
    void mistakesNeverShowASecret(String line) {
        HostConfig config = HostConfig.parse("[plugin.bucket]\n" + line + "\n", "c.toml", Map.of());
        List<ConfigProblem> problems = config.validate(SampleStrategies.BOTH);
        assertFalse(problems.isEmpty());
        String everything = problems + " " + config.warnings(SampleStrategies.BOTH) + config + config.plugins()
                + config.resolved() + config.resolved(config.table(SampleStrategies.BUCKET), SampleStrategies.BUCKET);
        assertFalse(everything.contains("S3CR3T"), everything);
        assertTrue(problems.get(0).line() >= 2, everything);
    }
}
