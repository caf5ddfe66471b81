package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files written by the real LMCache 0.5.6 ({@code benchmarks/peers record}) are found, loaded and verified; files of ours under the
 * same keys are the same files. The live peers do the same in {@code .ci/run --peers}.
 */
class LmcacheFilesIT {
    private static final Path RECORDED = Path.of("src/test/resources/lmcache-0.5.6");

    private record Recorded(int number, String key, String file, int bytes) {
        byte[] content() {
            byte[] content = new byte[bytes];
            for (int j = 0; j < bytes; j++) {
                content[j] = (byte) (number * 131 + j * 7 + (j >> 8));
            }
            return content;
        }
    }

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();
    private final List<Recorded> objects = new ArrayList<>();

    LmcacheFilesIT() throws IOException {
        for (JsonNode object : new ObjectMapper()
                .readTree(RECORDED.resolve("manifest.json").toFile())
                .get("objects")) {
            objects.add(new Recorded(
                    object.get("object").asInt(),
                    object.get("key").asText(),
                    object.get("file").asText(),
                    object.get("bytes").asInt()));
        }
    }

    @AfterEach
    void closeHost() {
        host.close();
    }

    private Path copyOfRecorded() throws IOException {
        Path copy = Files.createDirectory(directory.resolve("lmcache"));
        for (Recorded object : objects) {
            Files.copy(RECORDED.resolve(object.file()), copy.resolve(object.file()));
        }
        Files.createFile(copy.resolve(objects.get(0).file() + ".tmp.7"));
        Files.write(copy.resolve("obj_0_a1b2.bin"), new byte[10]);
        return copy;
    }

    @Test
    void theirFilesAreListedFoundAndLoaded() throws IOException {
        Path theirs = copyOfRecorded();
        for (boolean direct : new boolean[] {false, true}) {
            try (KvStore store = host.posix(theirs.toString(), direct, "layout = \"lmcache\"")) {
                TreeMap<String, Long> listed = new TreeMap<>();
                store.list("", (key, length, time) -> listed.put(key.text(), length) == null);
                TreeMap<String, Long> expected = new TreeMap<>();
                objects.forEach(object -> expected.put(object.key(), (long) object.bytes()));
                assertEquals(expected, listed);

                List<KvKey> keys =
                        objects.stream().map(object -> store.key(object.key())).toList();
                assertEquals(
                        objects.size(),
                        store.lookup(keys, CallOptions.DEFAULT, lengths()).leadingOk());
                for (Recorded object : objects) {
                    ByteBuffer value = ByteBuffer.allocate(object.bytes());
                    assertTrue(store.load(store.key(object.key()), value, CallOptions.DEFAULT)
                            .ok());
                    assertArrayEquals(object.content(), value.array());
                }
            }
        }
    }

    @Test
    void oursAreTheSameFiles() throws IOException {
        Path ours = directory.resolve("ours");
        for (boolean direct : new boolean[] {false, true}) {
            try (KvStore store = host.posix(ours.toString(), direct, "layout = \"lmcache\"")) {
                for (Recorded object : objects) {
                    assertTrue(
                            store.store(store.key(object.key()), ByteBuffer.wrap(object.content()), CallOptions.DEFAULT)
                                    .ok());
                }
            }
        }
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(ours)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .forEach(names::add);
        }
        assertEquals(new TreeSet<>(objects.stream().map(Recorded::file).toList()), names);
        for (Recorded object : objects) {
            assertEquals(-1, Files.mismatch(RECORDED.resolve(object.file()), ours.resolve(object.file())));
        }
    }

    @Test
    void shardedFilesLieUnderTheHash() throws IOException {
        Path ours = directory.resolve("sharded");
        try (KvStore store = host.posix(ours.toString(), false, "layout = \"lmcache\"\nshard_dirs = true")) {
            KvKey key = store.key("org/model@0000002a@7@00112233@tenant");
            assertTrue(store.store(key, ByteBuffer.allocate(10), CallOptions.DEFAULT)
                    .ok());
            assertTrue(store.lookup(List.of(key), CallOptions.DEFAULT, 10).allOk());
            List<String> listed = new ArrayList<>();
            store.list("", (found, length, time) -> listed.add(found.text()));
            assertEquals(List.of(key.text()), listed);
        }
        assertTrue(Files.exists(ours.resolve("00/11/org-SEP-model@0x0000002a@7@00112233@tenant.data")));
    }

    @Test
    void paddedFilesNeedTheSamePadding() throws IOException {
        Path ours = directory.resolve("padded");
        String padded = "layout = \"lmcache\"\nl1_align_bytes = 4096";
        String text = objects.get(5).key();
        try (KvStore store = host.posix(ours.toString(), true, padded)) {
            assertTrue(
                    store.store(store.key(text), ByteBuffer.wrap(objects.get(5).content()), CallOptions.DEFAULT)
                            .ok());
            ByteBuffer value = ByteBuffer.allocate(10_000);
            assertTrue(store.load(store.key(text), value, CallOptions.DEFAULT).ok());
            assertArrayEquals(objects.get(5).content(), value.array());
        }
        assertEquals(12_288, Files.size(ours.resolve(objects.get(5).file())));
        try (KvStore store = host.posix(ours.toString(), true, "layout = \"lmcache\"")) {
            String reason = store.load(store.key(text), ByteBuffer.allocate(10_000), CallOptions.DEFAULT)
                    .reason();
            assertTrue(reason.contains("12288") && reason.contains("l1_align_bytes"), reason);
        }
    }

    private long[] lengths() {
        return objects.stream().mapToLong(Recorded::bytes).toArray();
    }
}
