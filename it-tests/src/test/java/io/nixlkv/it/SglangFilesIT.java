package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.api.hicache.PageObjects;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files written over two directories by the real connector of SGLang 0.5.23 ({@code benchmarks/peers record-sglang}) are found, loaded
 * and verified; files of ours under the same names are the same files in the same places. The live peers do the same in {@code .ci/run
 * --peers}.
 */
class SglangFilesIT {
    private static final Path RECORDED = Path.of("src/test/resources/sglang-0.5.23");
    private static final int BYTES = 1536;

    private record Recorded(
            String kind,
            int number,
            String name,
            String file,
            String model,
            int rank,
            int size,
            boolean mla,
            String layout) {
        byte[] content() {
            byte[] content = new byte[BYTES];
            for (int j = 0; j < BYTES; j++) {
                content[j] = (byte) (number * 131 + j * 7 + (j >> 8));
            }
            return content;
        }

        PageObjects page() {
            return new PageObjects(model, rank, size, mla, PageObjects.isZeroCopy(layout));
        }
    }

    @TempDir
    Path directory;

    private final PackedHost host = new PackedHost();
    private final List<Recorded> objects = new ArrayList<>();

    SglangFilesIT() throws IOException {
        for (JsonNode object : new ObjectMapper()
                .readTree(RECORDED.resolve("manifest.json").toFile())
                .get("objects")) {
            objects.add(new Recorded(
                    object.get("kind").asText(),
                    object.get("object").asInt(),
                    object.get("name").asText(),
                    object.get("file").asText(),
                    object.get("model").asText(),
                    object.get("tp_rank").asInt(),
                    object.get("tp_size").asInt(),
                    object.get("mla").asBoolean(),
                    object.get("layout").asText()));
        }
    }

    @AfterEach
    void closeHost() {
        host.close();
    }

    private KvStore open(String store) {
        return host.posix(
                directory.resolve("d1") + "," + directory.resolve("d2"), false, "layout = \"hicache\"\n" + store);
    }

    private void copyRecorded() throws IOException {
        for (Recorded object : objects) {
            Path copy = directory.resolve(object.file());
            Files.createDirectories(copy.getParent());
            Files.copy(RECORDED.resolve(object.file()), copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static TreeSet<String> listed(KvStore store) {
        TreeSet<String> names = new TreeSet<>();
        store.list("", (key, length, time) -> {
            assertEquals(BYTES, length);
            return names.add(key.text());
        });
        return names;
    }

    @Test
    void theirFilesAreListedFoundAndLoaded() throws IOException {
        copyRecorded();
        try (KvStore store = open("")) {
            assertEquals(new TreeSet<>(objects.stream().map(Recorded::name).toList()), listed(store));
            List<KvKey> keys =
                    objects.stream().map(object -> store.key(object.name())).toList();
            assertTrue(store.lookup(keys, CallOptions.DEFAULT, BYTES).allOk());
            for (Recorded object : objects) {
                ByteBuffer value = ByteBuffer.allocate(BYTES);
                assertTrue(store.load(store.key(object.name()), value, CallOptions.DEFAULT)
                        .ok());
                assertArrayEquals(object.content(), value.array());
            }
        }
    }

    @Test
    void keysOfAnApplicationAreTheirNames() throws IOException {
        copyRecorded();
        try (KvStore store = open("")) {
            for (Recorded object : objects) {
                String hash = object.name().substring(0, 64);
                List<String> names =
                        object.page().ofKv(hash).stream().map(KvKey::text).toList();
                assertTrue(names.contains(object.name()), object.kind() + ": " + names);
                assertTrue(store.lookup(object.page().ofKv(hash), CallOptions.DEFAULT, BYTES)
                        .allOk());
            }
        }
    }

    @Test
    void oursAreTheSameFiles() throws IOException {
        try (KvStore store = open("")) {
            for (Recorded object : objects) {
                assertTrue(store.store(store.key(object.name()), ByteBuffer.wrap(object.content()), CallOptions.DEFAULT)
                        .ok());
            }
        }
        TreeSet<String> files = new TreeSet<>();
        for (String root : List.of("d1", "d2")) {
            try (Stream<Path> paths = Files.walk(directory.resolve(root))) {
                paths.filter(Files::isRegularFile)
                        .map(path -> directory.relativize(path).toString())
                        .filter(name -> !name.contains("/.nixlkv/"))
                        .forEach(files::add);
            }
        }
        assertEquals(new TreeSet<>(objects.stream().map(Recorded::file).toList()), files);
        for (Recorded object : objects) {
            assertEquals(-1, Files.mismatch(RECORDED.resolve(object.file()), directory.resolve(object.file())));
        }
    }

    @Test
    void aStoreOfOneModelSeesThatModelOnly() throws IOException {
        copyRecorded();
        try (KvStore store = open("model = \"org/mla\"\nmla = true")) {
            assertEquals(
                    new TreeSet<>(objects.stream()
                            .filter(object -> object.kind().equals("mla"))
                            .map(Recorded::name)
                            .toList()),
                    listed(store));
            String other = objects.get(0).name();
            StorageException refused = assertThrows(StorageException.class, () -> store.key(other));
            assertTrue(refused.getMessage().contains("model org/mla"), refused.getMessage());
        }
    }
}
