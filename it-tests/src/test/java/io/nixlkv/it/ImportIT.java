package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nixlkv import} between layouts and directories, with files of the real LMCache and SGLang. */
class ImportIT {
    private static final Path LMCACHE = Path.of("src/test/resources/lmcache-0.5.6");
    private static final int OBJECTS = 6;

    @TempDir
    Path directory;

    /** The files below a directory, by name, without what stores keep for themselves. */
    private static TreeMap<String, byte[]> tree(Path root) throws IOException {
        TreeMap<String, byte[]> tree = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(path).toString();
                if (!name.startsWith(".nixlkv/") && !name.equals("manifest.json")) {
                    tree.put(name, Files.readAllBytes(path));
                }
            }
        }
        return tree;
    }

    private static void assertSame(TreeMap<String, byte[]> expected, TreeMap<String, byte[]> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((name, bytes) -> assertArrayEquals(bytes, actual.get(name), name));
    }

    private Path config(String name, String store) throws IOException {
        return config(name, store, directory.resolve(name).toString());
    }

    private Path config(String name, String store, String paths) throws IOException {
        return Files.writeString(
                directory.resolve(name + ".toml"),
                "[store]\n" + store + "\n[plugin.posix]\nactive = true\nfile_path = \"" + paths + "\"\n");
    }

    private static Distribution.Run run(Path config, String from, String... more) {
        List<String> line = new ArrayList<>(List.of("import", "--config", config.toString(), "--from", from));
        line.addAll(List.of(more));
        return Distribution.nixlkv(line.toArray(String[]::new));
    }

    private static JsonNode json(Path config, String from, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--json");
        Distribution.Run run = run(config, from, options.toArray(String[]::new));
        assertEquals(0, run.exit(), run::toString);
        return new ObjectMapper().readTree(run.out());
    }

    private Path copyOfRecorded() throws IOException {
        Path copy = Files.createDirectory(directory.resolve("recorded"));
        for (var file : tree(LMCACHE).entrySet()) {
            Files.write(copy.resolve(file.getKey()), file.getValue());
        }
        return copy;
    }

    /** Shows 4 of the layouts: sharded, raw, and back. */
    @Test
    void lmcacheFilesGoRoundUnchanged() throws IOException {
        Path source = copyOfRecorded();
        JsonNode sharded = json(config("sharded", "layout = \"lmcache\"\nshard_dirs = true"), source.toString());
        assertEquals(OBJECTS, sharded.get("copied").asInt());
        assertEquals(4 * 4096 + 2 * 10_000, sharded.get("bytes").asInt());
        TreeMap<String, byte[]> expected = new TreeMap<>();
        tree(source).forEach((name, bytes) -> {
            String hash = name.split("@")[3];
            expected.put(hash.substring(0, 2) + "/" + hash.substring(2, 4) + "/" + name, bytes);
        });
        assertSame(expected, tree(directory.resolve("sharded")));

        json(config("raw", "layout = \"raw\""), directory.resolve("sharded").toString(), "--from-layout", "lmcache");
        assertSame(expected, tree(directory.resolve("raw")));

        json(config("back", "layout = \"lmcache\""), directory.resolve("raw").toString(), "--from-layout", "raw");
        assertSame(tree(source), tree(directory.resolve("back")));
        assertFalse(Files.exists(source.resolve(".nixlkv")), "the source is only read");
    }

    @Test
    void aRepetitionGoesOnWhereItEnded() throws IOException {
        Path source = copyOfRecorded();
        Path config = config("target", "layout = \"lmcache\"");
        JsonNode dry = json(config, source.toString(), "--dry-run");
        assertEquals(OBJECTS, dry.get("copied").asInt());
        assertTrue(tree(directory.resolve("target")).isEmpty());
        json(config, source.toString());
        List<String> names = new ArrayList<>(tree(source).keySet());
        Files.delete(directory.resolve("target").resolve(names.get(0)));
        JsonNode again = json(config, source.toString());
        assertEquals(1, again.get("copied").asInt());
        assertEquals(OBJECTS - 1, again.get("present").asInt());
        assertSame(tree(source), tree(directory.resolve("target")));

        Files.write(source.resolve(names.get(1)), new byte[7]);
        Distribution.Run other = run(config, source.toString());
        assertEquals(1, other.exit(), other::toString);
        assertTrue(other.err().contains("--replace") && other.err().contains(names.get(1)), other::toString);
        assertEquals(
                1, json(config, source.toString(), "--replace").get("copied").asInt());
        assertSame(tree(source), tree(directory.resolve("target")));
    }

    @Test
    void whatWouldLoseItsIdentityIsRefused() throws IOException {
        Path source = Files.createDirectory(directory.resolve("pages"));
        Path config = config("target", "layout = \"lmcache\"");
        Distribution.Run pages = run(config, source.toString(), "--from-layout", "hicache");
        assertEquals(2, pages.exit(), pages::toString);
        assertTrue(pages.err().contains("lose their identity"), pages::toString);
        Files.write(source.resolve("org--model_0000002a_7_00112233.bin"), new byte[] {1, 2, 3});
        Distribution.Run lossy = run(config, source.toString(), "--from-layout", "lmcache-dynamic");
        assertEquals(2, lossy.exit(), lossy::toString);
        assertTrue(lossy.err().contains("--from-model"), lossy::toString);
        json(config, source.toString(), "--from-layout", "lmcache-dynamic", "--from-model", "org/model");
        assertEquals(
                "[org-SEP-model@0x0000002a@7@00112233.data]",
                tree(directory.resolve("target")).keySet().toString());
        Distribution.Run nothing = run(config, source.toString());
        assertEquals(1, nothing.exit(), nothing::toString);
        assertTrue(nothing.err().contains("--from-layout"), nothing::toString);
    }

    /** A directory more re-homes pages; an import brings them where SGLang looks for them. */
    @Test
    void pagesMoveToOtherDirectories() throws IOException {
        Path recorded = Path.of("src/test/resources/sglang-0.5.23");
        String from = recorded.resolve("d1") + "," + recorded.resolve("d2");
        Path one = config("one", "layout = \"hicache\"");
        assertEquals(
                tree(recorded.resolve("d1")).size()
                        + tree(recorded.resolve("d2")).size(),
                json(one, from).get("copied").asInt());
        String two = directory.resolve("e1") + "," + directory.resolve("e2");
        json(
                config("two", "layout = \"hicache\"", two),
                directory.resolve("one").toString());
        assertSame(tree(recorded.resolve("d1")), tree(directory.resolve("e1")));
        assertSame(tree(recorded.resolve("d2")), tree(directory.resolve("e2")));
    }

    /** Decision: opening warns once, with both counts. */
    @Test
    void theOtherShardingIsToldWhenAStoreIsOpened() throws IOException {
        Path source = copyOfRecorded();
        Path config = config("recorded", "layout = \"lmcache\"\nshard_dirs = true");
        Files.createDirectories(source.resolve("00/11"));
        Files.write(source.resolve("00/11/m@0x00000001@0@0011.data"), new byte[] {1});
        Distribution.Run exists = Distribution.nixlkv("exists", "--config", config.toString(), "m@00000001@0@0011");
        assertEquals(0, exists.exit(), exists::toString);
        assertTrue(
                exists.err().contains(OBJECTS + " objects named for the other value of shard_dirs"), exists::toString);
        assertTrue(exists.err().contains("and 1 of this one"), exists::toString);
        assertEquals(1, exists.err().split("shard_dirs, which", -1).length - 1, exists::toString);
        Distribution.Run quiet = Distribution.nixlkv(
                "exists", "--config", config("empty", "layout = \"lmcache\"").toString(), "m@00000001@0@0011");
        assertFalse(quiet.err().contains("shard_dirs"), quiet::toString);
    }

    /** More than a batch, one object in both shardings, and files that are not objects. */
    @Test
    void manyObjectsAndTwoFilesOfOne() throws IOException {
        Path source = Files.createDirectory(directory.resolve("source"));
        int count = 700;
        for (int i = 0; i < count; i++) {
            Files.write(source.resolve(String.format("m@0x00000001@0@%08x.data", i)), new byte[] {(byte) i, 1});
        }
        Files.createDirectories(source.resolve("00/00"));
        Files.write(source.resolve("00/00/m@0x00000001@0@00000005.data"), new byte[] {5, 1});
        Files.write(source.resolve("00/00/m@0x00000001@0@00000006.data"), new byte[] {6, 1, 7});
        Files.write(source.resolve("README"), new byte[] {1});
        Files.write(source.resolve("m@0x00000001@0@ffffffff.data.tmp.3"), new byte[] {1});
        Files.createFile(source.resolve("m@0x00000001@0@fffffff0.data"));
        Files.createSymbolicLink(
                source.resolve("m@0x00000001@0@fffffff1.data"), source.resolve("m@0x00000001@0@00000001.data"));
        Path config = config("target", "layout = \"lmcache\"");
        Distribution.Run run = run(config, source.toString(), "--json");
        assertEquals(1, run.exit(), run::toString);
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertEquals(count, document.get("copied").asInt(), run::toString);
        assertEquals(1, document.get("present").asInt(), run::toString);
        assertEquals(1, document.get("failed").asInt(), run::toString);
        assertEquals(1, document.get("not_of_layout").asInt(), run::toString);
        assertEquals(count, tree(directory.resolve("target")).size());
    }

    @Test
    void anEmptySourceIsNoFailureAndAMissingOneIs() throws IOException {
        Path config = config("target", "layout = \"lmcache\"");
        Path empty = Files.createDirectory(directory.resolve("nothing"));
        assertEquals(0, json(config, empty.toString()).get("copied").asInt());
        Distribution.Run missing = run(config, directory.resolve("absent").toString());
        assertEquals(2, missing.exit(), missing::toString);
        assertTrue(missing.err().contains("not a directory"), missing::toString);
    }
}
