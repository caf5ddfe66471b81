package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectNamesTest {
    private final ObjectNames names = new ObjectNames(StandardCharsets.UTF_8);

    static List<String> bad() {
        return List.of(
                "",
                "/etc/x",
                "..",
                ".",
                "../../etc/x",
                "a/../../x",
                "a/..",
                "./a",
                "a//b",
                "a/",
                "a\0b",
                ".nixlkv",
                ".nixlkv/x",
                "bad\uFFFDbyte",
                "a".repeat(256),
                "x/" + "é".repeat(128),
                "a/".repeat(2100) + "a");
    }

    @ParameterizedTest
    @MethodSource("bad")
    void refuses(String name) {
        assertTrue(names.problem(name, 10) != null, "accepted: " + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a/b/c",
                "...",
                "..a",
                "a..",
                ".hidden",
                "x/.nixlkv",
                "~/x",
                "CON",
                "new\nline",
                "..%2f..%2fx",
                "模型/キー-ß-😀"
            })
    void accepts(String name) {
        assertNull(names.problem(name, 10));
    }

    @Test
    void countsBytesNotCharacters() {
        assertNull(names.problem("a".repeat(255), 10));
        assertNull(names.problem("é".repeat(127), 10));
        assertTrue(names.problem("é".repeat(128), 10).contains("256 bytes"));
        assertTrue(names.problem("😀".repeat(64), 10).contains("256 bytes"));
        assertNull(names.problem("a/".repeat(1899) + "ab", 10));
        assertTrue(names.problem("a/".repeat(1900) + "a", 10).contains("at most 3800"));
        String deep = "a/".repeat(1000) + "b";
        assertNull(names.problem(deep, 2000));
        assertTrue(names.problem(deep, 2200).contains("path of 4202 bytes"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD800x", "x\uD83D", "\uDE00\uD83D"})
    void halfCharactersAreRefused(String name) {
        assertTrue(names.problem(name, 10).contains("not valid Unicode"));
    }

    @Test
    void namesTheLocaleToSet() {
        ObjectNames ascii = new ObjectNames(StandardCharsets.US_ASCII);
        assertNull(ascii.problem("plain", 10));
        assertTrue(ascii.problem("模型", 10).contains("LC_ALL=C.UTF-8"));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void nothingOutsideChanges(String name, @TempDir Path outside) throws IOException {
        Path root = outside.resolve("root");
        try (Opened store = new Opened(false, root)) {
            assertEquals(Status.INVALID, store.create(name, 10));
            assertTrue(store.sentence().startsWith("the name \""), store.sentence());
            assertEquals(Status.INVALID, store.replace(name, 10));
            assertEquals(Status.INVALID, store.read(name, 10));
            assertEquals(Status.INVALID, store.query(name));
            assertEquals(Status.INVALID, store.delete(name));
        }
        try (Stream<Path> left = Files.walk(outside)) {
            assertEquals(
                    List.of("", "root", "root/.nixlkv"),
                    left.map(outside::relativize).map(Path::toString).sorted().toList());
        }
    }
}
