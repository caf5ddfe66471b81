package io.nixlkv.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectCommandsTest {
    private static final String KEY = "org/model@0000002a@7@00112233";
    private static final String FILE_NAME = "org-SEP-model@0x0000002a@7@00112233.data";

    @TempDir
    Path directory;

    private Path store;
    private Path config;

    @BeforeEach
    void configure() throws Exception {
        store = directory.resolve("store");
        config = Cli.config(directory, store);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private Path file(String name, byte[] content) throws Exception {
        return Files.write(directory.resolve(name), content);
    }

    @Test
    void anotherLengthIsToldWithTheOptionThatHelps() throws Exception {
        assertEquals(
                0,
                new Cli()
                        .run("put", "--config", config, KEY, file("in", bytes(100)))
                        .code());
        Cli.Ended put = new Cli().run("put", "--config", config, KEY, file("in", bytes(300)));
        assertEquals(1, put.code());
        assertTrue(
                put.err()
                        .startsWith("nixlkv: " + KEY
                                + ": an object of 100 bytes is there, and 300 bytes were given; give --replace"),
                put.err());
        Cli.Ended get = new Cli().run("get", "--size", 10, "--config", config, KEY, directory.resolve("out"));
        assertEquals(1, get.code());
        assertEquals(
                "nixlkv: " + KEY + ": the object has 100 bytes, not the 10 of --size; leave out --size\n", get.err());
    }

    @Test
    void objectGoesInAndComesOut() throws Exception {
        byte[] content = bytes(300_001);
        Cli.Ended put = new Cli().run("put", "--config", config, KEY, file("in", content));
        assertEquals(0, put.code(), put.err());
        assertEquals(KEY + ": stored 300001 bytes\n", put.out());
        assertArrayEquals(content, Files.readAllBytes(store.resolve(FILE_NAME)));

        Cli.Ended exists = new Cli().run("exists", "--config", config, KEY);
        assertEquals(0, exists.code());
        assertEquals("1 of 1\n", exists.out());

        Path out = directory.resolve("out");
        assertEquals(0, new Cli().run("get", "--config", config, KEY, out).code());
        assertArrayEquals(content, Files.readAllBytes(out));
        assertArrayEquals(
                content, new Cli().run("get", "--config", config, KEY, "-").bytes());

        Cli.Ended ls = new Cli().run("ls", "--config", config);
        assertEquals(0, ls.code());
        assertTrue(
                ls.out().matches("300001  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  \\Q" + KEY + "\\E\n"), ls.out());

        Cli.Ended rm = new Cli().run("rm", "--config", config, KEY);
        assertEquals(0, rm.code(), rm.err());
        assertEquals("removed 1 of 1\n", rm.out());
        assertEquals(1, new Cli().run("exists", "--config", config, KEY).code());
        assertEquals("", new Cli().run("ls", "--config", config).out());
    }

    @Test
    void standardInputAndWriteModes() throws Exception {
        assertEquals(
                0,
                new Cli(Map.of(), bytes(5000))
                        .run("put", "--config", config, KEY, "-")
                        .code());
        Cli.Ended same = new Cli(Map.of(), bytes(5000)).run("put", "--config", config, KEY, "-");
        assertEquals(0, same.code());
        assertTrue(same.out().contains("already there"), same.out());
        Cli.Ended other = new Cli(Map.of(), bytes(6000)).run("put", "--config", config, KEY, "-");
        assertEquals(1, other.code());
        assertTrue(other.err().contains(KEY), other.err());
        assertEquals(
                0,
                new Cli(Map.of(), bytes(6000))
                        .run("put", "--replace", "--config", config, KEY, "-")
                        .code());
        assertArrayEquals(bytes(6000), Files.readAllBytes(store.resolve(FILE_NAME)));
        Cli.Ended empty = new Cli().run("put", "--config", config, KEY, "-");
        assertEquals(2, empty.code());
        assertTrue(empty.err().contains("empty"), empty.err());
    }

    @Test
    void failedGetLeavesTheFileAlone() throws Exception {
        Path out = file("out", new byte[] {1, 2, 3});
        Files.createDirectory(store);
        Cli.Ended missing = new Cli().run("get", "--config", config, KEY, out);
        assertEquals(1, missing.code());
        assertTrue(missing.err().contains(KEY), missing.err());
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(out));

        new Cli().run("put", "--config", config, KEY, file("in", bytes(5000)));
        Cli.Ended wrongSize = new Cli().run("get", "--config", config, "--size", 4999, KEY, out);
        assertEquals(1, wrongSize.code());
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(out));
        try (var files = Files.list(directory)) {
            assertTrue(files.noneMatch(path -> path.toString().endsWith(".part")));
        }
    }

    @Test
    void paddedObjectIsReadWithItsSize() throws Exception {
        Path padded = Cli.config(directory, store, "l1_align_bytes = 4096");
        byte[] content = bytes(5000);
        assertEquals(
                0,
                new Cli()
                        .run("put", "--config", padded, KEY, file("in", content))
                        .code());
        Path out = directory.resolve("out");
        Cli.Ended get = new Cli().run("get", "--config", padded, "--size", 5000, KEY, out);
        assertEquals(0, get.code(), get.err());
        assertArrayEquals(content, Files.readAllBytes(out));
    }

    @Test
    void sixteenOfSixteen() throws Exception {
        List<Object> exists = new ArrayList<>(List.of("exists", "--config", config));
        for (int i = 15; i >= 0; i--) {
            String key = String.format("m@%08x@0@%04x", i, i);
            assertEquals(
                    0,
                    new Cli()
                            .run("put", "--config", config, key, file("in", bytes(4096 + i)))
                            .code());
            exists.add(key);
        }
        Cli.Ended all = new Cli().run(exists.toArray());
        assertEquals(0, all.code());
        assertEquals("16 of 16\n", all.out());
        exists.add("m@00000099@0@0099");
        Cli.Ended most = new Cli().run(exists.toArray());
        assertEquals(1, most.code());
        assertEquals("missing: m@00000099@0@0099\n16 of 17\n", most.out());

        JsonNode list =
                new Cli().run("ls", "--json", "--config", config, "m@0000000").json();
        assertEquals(16, list.get("count").asInt());
        assertEquals(16 * 4096 + 120, list.get("bytes").asLong());
        for (int i = 0; i < 16; i++) {
            assertEquals(
                    String.format("m@%08x@0@%04x", i, i),
                    list.get("objects").get(i).get("key").asText());
        }
        assertEquals(
                0,
                new Cli()
                        .run("ls", "--json", "--config", config, "other")
                        .json()
                        .get("count")
                        .asInt());
    }

    @Test
    void partlyFailedBatchIsAFailure() throws Exception {
        new Cli().run("put", "--config", config, KEY, file("in", bytes(100)));
        Cli.Ended rm = new Cli().run("rm", "--config", config, KEY, "m@00000099@0@0099");
        assertEquals(1, rm.code());
        assertEquals("missing: m@00000099@0@0099\nremoved 1 of 2\n", rm.out());
        assertFalse(Files.exists(store.resolve(FILE_NAME)));
    }

    @Test
    void everyCommandPrintsOneDocument() throws Exception {
        Path in = file("in", bytes(4096));
        JsonNode put =
                new Cli().run("put", "--json", "--config", config, KEY, in).json();
        assertEquals("DONE", put.get("status").asText());
        assertEquals(4096, put.get("bytes").asInt());
        JsonNode get = new Cli()
                .run("get", "--json", "--config", config, KEY, directory.resolve("o"))
                .json();
        assertEquals(4096, get.get("bytes").asInt());
        JsonNode exists = new Cli()
                .run("exists", "--json", "--config", config, KEY, "m@1@0@00")
                .json();
        assertEquals(1, exists.get("present").asInt());
        assertEquals(2, exists.get("asked").asInt());
        assertEquals("MISSING", exists.get("objects").get(1).get("status").asText());
        assertEquals(4096, exists.get("objects").get(0).get("bytes").asInt());
        JsonNode rm = new Cli().run("rm", "--json", "--config", config, KEY).json();
        assertEquals(1, rm.get("removed").asInt());
        JsonNode missing = new Cli()
                .run("get", "--json", "--config", config, KEY, directory.resolve("o"))
                .json();
        assertEquals("MISSING", missing.get("status").asText());
        assertTrue(missing.get("error").asText().contains(KEY), missing.toString());
    }

    @Test
    void rawKeysAreNames() throws Exception {
        Path raw = directory.resolve("raw.toml");
        Files.writeString(
                raw, "[store]\nlayout = \"raw\"\n[plugin.posix]\nactive = true\nfile_path = \"" + store + "\"\n");
        assertEquals(
                0,
                new Cli()
                        .run("put", "--config", raw, "a/b.bin", file("in", bytes(10)))
                        .code());
        assertArrayEquals(bytes(10), Files.readAllBytes(store.resolve("a/b.bin")));
        assertTrue(new Cli().run("ls", "--config", raw, "a/").out().endsWith("  a/b.bin\n"));
        for (String name : new String[] {"../x", "/etc/x", "a/../../x", "..", "a\nb"}) {
            assertEquals(2, new Cli().run("rm", "--config", raw, name).code(), name);
        }
    }
}
