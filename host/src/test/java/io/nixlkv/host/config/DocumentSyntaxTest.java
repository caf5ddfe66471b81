package io.nixlkv.host.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON and YAML as bytes and as languages: C11, C12, S02. */
class DocumentSyntaxTest {
    private static final String JSON = "{\"use_direct_io\": false,\n\"store\": {\n\"num_workers\": 3}}";
    private static final String YAML = "use_direct_io: false\nstore:\n  num_workers: 3";

    @TempDir
    Path folder;

    private static List<String> problems(String text, String name) {
        return HostConfig.parse(text, name, Map.of()).validate(SampleStrategies.BOTH).stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    private HostConfig load(String name, byte[] bytes) throws IOException {
        return HostConfig.load(Files.write(folder.resolve(name), bytes), Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"c.json", "c.yaml", "c.yml", "c", "c.toml"})
    void marksAndLineEndsMakeNoDifference(String name) throws IOException {
        for (String text : name.endsWith("json") ? List.of(JSON) : List.of(YAML)) {
            for (String variant : List.of(
                    text,
                    text + "\n",
                    "\uFEFF" + text,
                    text.replace("\n", "\r\n"),
                    "\uFEFF" + text.replace("\n", "\r\n"))) {
                HostConfig config = load(name, variant.getBytes(StandardCharsets.UTF_8));
                assertEquals(Dialect.OWN, config.dialect());
                assertEquals(List.of(), config.validate(List.of()));
                assertEquals(3, config.store().numWorkers());
                assertFalse(config.store().useDirectIo());
                String place = DialectFiles.shown(config, "store.num_workers").origin();
                assertEquals(folder.resolve(name) + (text.equals(JSON) ? ":3:1" : ":3:3"), place);
            }
        }
    }

    @Test
    void theContentTellsTheLanguageWhateverTheName() {
        assertEquals(3, HostConfig.parse(JSON, "c.toml", Map.of()).store().numWorkers());
        assertEquals(3, HostConfig.parse(JSON, "c.yaml", Map.of()).store().numWorkers());
        assertEquals(
                3,
                HostConfig.parse("# a\n[store]\nnum_workers = 3", "c.yaml", Map.of())
                        .store()
                        .numWorkers());
        assertEquals(
                3, HostConfig.parse("---\n" + YAML, "c.json", Map.of()).store().numWorkers());
    }

    @ParameterizedTest
    @CsvSource({"c.json,''", "c.yaml,''", "c.yaml,'# only a comment'", "c.yaml,'---'", "c.json,'{}'", "c.yaml,'{}'"})
    void nothingIsNoSettings(String name, String text) {
        HostConfig config = HostConfig.parse(text, name, Map.of());
        assertEquals(List.of(), config.validate(SampleStrategies.BOTH));
        assertEquals(List.of(), config.warnings(SampleStrategies.BOTH));
        assertEquals(HostConfig.defaults(Map.of()).store(), config.store());
    }

    @Test
    void otherEncodingsAreNamed() {
        for (String name : List.of("c.json", "c.yaml")) {
            for (Charset charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE)) {
                byte[] bytes = (name.endsWith("json") ? JSON : YAML).getBytes(charset);
                assertEquals(
                        folder.resolve(name) + ": is UTF-16; save it as UTF-8",
                        assertThrows(ConfigException.class, () -> load(name, bytes))
                                .getMessage());
            }
        }
    }

    /** C12. */
    @Test
    void duplicatesAreRefusedAtTheSecondPlace() {
        assertEquals(
                List.of("c.json:4:1: plugin.bucket.bucket: is defined twice, first in line 3; keep one of them"),
                problems("{\"plugin\":\n{\"bucket\": {\n\"bucket\": \"a\",\n\"bucket\": \"b\"}}}", "c.json"));
        assertEquals(
                List.of("c.yaml:4:5: plugin.bucket.bucket: is defined twice, first in line 3; keep one of them"),
                problems("plugin:\n  bucket:\n    bucket: a\n    bucket: b\n", "c.yaml"));
        assertEquals(
                List.of("c.yaml:4:3: plugin.DISK: is the same plugin as [plugin.disk] (c.yaml:2:3); keep one table"),
                problems("plugin:\n  disk:\n    depth: 1\n  DISK: {depth: 2}\n", "c.yaml"));
        assertEquals(
                List.of("c.yaml:3:1: plugin: is defined twice, first in line 1; keep one of them"),
                problems("plugin:\n  disk: {}\nplugin:\n  bucket: {}\n", "c.yaml"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [1, 2] | c.json | c.json:1:1: must be one JSON object, {…}
            "text" | c.json | c.json:1:1: must be one JSON object, {…}
            {"store": {} | c.json | c.json:1:13: is not JSON: it ends before every bracket and quote is closed
            {"store": {}} x | c.json | c.json:1:15: is not JSON here; check commas, brackets and double quotes just before this place
            {"store": {}} {} | c.json | c.json:1:15: goes on after the end of the object; remove what follows
            {'store': {}} | c.json | c.json:1:2: is not JSON here; keys and texts need double quotes, not single ones
            {"use_direct_io": True} | c.json | c.json:1:19: is not JSON here; write true, false and null in lower case
            - a | c.yaml | c.yaml:1:1: must be one YAML mapping of keys to values
            use_direct_io: *gone | c.yaml | c.yaml:1:16: is not YAML here; check quotes and the characters & * ! @ at the start of a value
            use_direct_io: !!java/object x | c.yaml | c.yaml:1:16: use_direct_io: has a tag, which is not supported; write the plain value
            """)
    void syntax(String text, String name, String expected) {
        List<String> problems = problems(text, name);
        assertTrue(problems.contains(expected), problems.toString());
    }

    @Test
    void yamlThatIsNoConfiguration() {
        assertTrue(problems("a: 1\n---\nb: 2\n", "c.yaml").toString().contains("is a second document"));
        assertTrue(problems("store:\n\tnum_workers: 1\n", "c.yaml").toString().contains("blanks, not tabs"));
        assertTrue(problems("a: &a {b: 1}\nc:\n  <<: *a\n", "c.yaml").toString().contains("merging is not supported"));
        assertTrue(
                problems("store: &s\n  num_workers: *s\n", "c.yaml").toString().contains("holds itself"));
        assertTrue(problems("[{a: 1}]: 2\nstore: {}\n", "c.yaml")
                .toString()
                .contains("is not YAML that can be read here"));
        String deep = "{\"store\":" + "[".repeat(100) + "]".repeat(100) + "}";
        assertEquals(1, problems(deep, "c.json").size());
        assertFalse(problems(deep, "c.yaml").isEmpty());
    }

    @Test
    void numbersKeepTheirValue() {
        assertEquals(
                1L << 29,
                HostConfig.parse("store: {arena_gb: 5e-1}", "c.yaml", Map.of())
                        .store()
                        .arenaBytes());
        assertEquals(
                1L << 29,
                HostConfig.parse("{\"store\": {\"arena_gb\": 5E-1}}", "c.json", Map.of())
                        .store()
                        .arenaBytes());
        assertTrue(problems("store: {arena_gb: 1e999999999}", "c.yaml").get(0).contains("must be a decimal number"));
        assertTrue(problems("store: {arena_gb: .inf}", "c.yaml").get(0).contains("must be a decimal number"));
    }

    /** Whatever the mistake, the parser's view of a secret is not repeated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"plugin\": {\"bucket\": {\"secret_key\": S3CR3T-marker}}}",
                "{\"plugin\": {\"bucket\": {\"secret_key\": \"S3CR3T-marker}}}",
                "{\"plugin\": {\"bucket\": {\"secret_key\": \"S3CR3T-\\q\"}}}",
                "{\"plugin\": {\"bucket\": {\"secret_key\": 'S3CR3T-marker'}}}",
                "{\"plugin\": {\"bucket\": {\"secret_key\": \"S3CR3T-marker\" \"S3CR3T\"}}}",
                "{\"plugin\": {\"bucket\": {\"secret_key\": [\"S3CR3T-marker\"]}}}",
                "{\"plugin\": {\"bucket\": {\"part_size\": \"S3CR3T-marker\"}}}",
                "{\"secret_key\": \"S3CR3T-marker\", \"secret_key\": \"S3CR3T-other\"}",
                "plugin:\n  bucket:\n    secret_key: \"S3CR3T-marker",
                "plugin:\n  bucket:\n    secret_key: *S3CR3T-marker",
                "plugin:\n  bucket:\n    secret_key: !S3CR3T-marker x",
                "plugin:\n  bucket:\n    secret_key: @S3CR3T-marker",
                "plugin:\n  bucket:\n    secret_key: S3CR3T: marker",
                "plugin:\n  bucket:\n    secret_key: {S3CR3T-marker: 1}",
                "plugin:\n  bucket:\n    secret_key: \"\\qS3CR3T\""
            })
    void mistakesNeverShowASecret(String text) {
        HostConfig config = HostConfig.parse(text, "c.conf", Map.of());
        List<ConfigProblem> problems = config.validate(SampleStrategies.BOTH);
        String everything = problems + " " + config.warnings(SampleStrategies.BOTH) + config + config.plugins()
                + config.resolved() + config.resolved(config.table(SampleStrategies.BUCKET), SampleStrategies.BUCKET);
        assertFalse(problems.isEmpty(), everything);
        assertFalse(everything.contains("S3CR3T"), everything);
    }
}
