package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectWalkTest {
    @TempDir
    Path root;

    @Test
    void listsObjectsOnly() throws IOException {
        try (Opened store = new Opened(false, root)) {
            for (String name : List.of("a", "b/c", "b/d/e", "model.tmp.v1@0x1@0@ab.data", ".nix/x")) {
                assertEquals(Status.DONE, store.create(name, 10));
            }
            for (String foreign : List.of(
                    "a.tmp.1", "b/c.data.tmp.17", "k.tmp.0123456789abcdef0123456789abcdef", "obj_12_a1b2.bin")) {
                Files.write(root.resolve(foreign), new byte[10]);
            }
            Files.createFile(root.resolve("empty"));
            Files.createSymbolicLink(root.resolve("loop"), root);
            assertEquals(List.of(".nix/x", "a", "b/c", "b/d/e", "model.tmp.v1@0x1@0@ab.data"), store.list(""));
            assertEquals(List.of("b/c", "b/d/e"), store.list("b/"));
            assertEquals(List.of("b/d/e"), store.list("b/d"));
            assertEquals(List.of("a"), store.list("a"));
            assertEquals(List.of(), store.list("../"));
        }
    }

    @Test
    void stopsWhenToldAndAtTheDeadline() {
        try (Opened store = new Opened(false, root)) {
            store.create("a", 10);
            store.create("b", 10);
            List<String> seen = new ArrayList<>();
            store.backend.list(0, "", Opened.soon(), (name, length, lastUse) -> {
                seen.add(name + " " + length);
                return false;
            });
            assertEquals(1, seen.size());
            StorageException late = assertThrows(
                    StorageException.class,
                    () -> store.backend.list(0, "", System.nanoTime() - 1, (name, length, lastUse) -> true));
            assertEquals(Status.TIMED_OUT, late.status());
        }
    }

    @Test
    void skipsWhatVanishes() {
        try (Opened store = new Opened(false, root)) {
            for (int i = 0; i < 50; i++) {
                store.create("d" + i % 5 + "/" + i, 10);
            }
            List<String> seen = new ArrayList<>();
            store.backend.list(0, "", Opened.soon(), (name, length, lastUse) -> {
                if (seen.isEmpty()) {
                    for (int i = 0; i < 50; i++) {
                        store.delete("d" + i % 5 + "/" + i);
                    }
                    for (int i = 0; i < 5; i++) {
                        root.resolve("d" + i).toFile().delete();
                    }
                }
                return seen.add(name);
            });
            assertEquals(1, seen.size());
        }
    }
}
