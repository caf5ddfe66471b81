package io.nixlkv.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntrantsTest {
    private static final Setting SETTING = new Setting(new Workload(2, 100), IoMode.DIRECT);

    @TempDir
    Path directory;

    private Entrants entrants(StoreFactory stores) {
        return new Entrants(Path.of("peers"), stores, "1");
    }

    private List<String> names(String name) {
        return entrants(StoreFactory.host()).named(name).stream()
                .map(Entrant::name)
                .toList();
    }

    @Test
    void aFamilyStandsForAllItsVariants() {
        assertEquals(List.of("nixl:use_aio", "nixl:use_uring", "nixl:use_posix_aio"), names("nixl"));
        assertEquals(List.of("nixl:default"), names("nixl:default"));
        assertEquals(List.of("syscalls:1", "syscalls:2", "syscalls:4"), names("syscalls"));
        assertEquals(
                List.of(
                        "nixlkv:auto",
                        "nixlkv:threads",
                        "nixlkv:uring",
                        "nixlkv:aio",
                        "nixlkv:posix_aio",
                        "nixlkv:nio"),
                names("nixlkv"));
        assertEquals(
                List.of("lmcache:fs_native", "lmcache:nixl_store", "lmcache:nixl_store_dynamic"), names("lmcache"));
        assertEquals(List.of("slots:1", "slots:2", "slots:4"), names("slots"));
        assertEquals(List.of("pool:nio"), names("pool:nio"));
        assertEquals(List.of("nixlkv:nio"), names("nixlkv:nio"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> names("fs"))
                .getMessage()
                .contains("\"fs\""));
    }

    @Test
    void ourSideGetsAFolderOfItsOwnAndAnArenaForTheBatch() {
        StoreFactory stores = (folder, setting, engine, pool) -> {
            assertTrue(Files.isDirectory(folder) && folder.getParent().equals(directory));
            assertEquals(SETTING, setting);
            assertEquals("nio", engine);
            assertFalse(pool);
            return new HeapStore(setting.workload().batchBytes());
        };
        try (Corner ours = Corner.open(
                entrants((folder, setting, engine, pool) ->
                                new HeapStore(setting.workload().batchBytes()))
                        .named("nixlkv")
                        .get(0),
                SETTING,
                directory)) {
            assertEquals("nixlkv:auto (map)", ours.contender().identity().name());
        }
        entrants(stores)
                .named("nixlkv:nio")
                .get(0)
                .opener()
                .open(SETTING, directory)
                .close();
    }

    @Test
    void aStoreThatCannotBeOpenedIsAReason() {
        StoreFactory refusing = (folder, setting, engine, pool) -> {
            throw new StorageException(Status.DENIED, "no access");
        };
        Entrant.Opener opener = entrants(refusing).named("nixlkv").get(0).opener();
        assertEquals(
                "nixlkv:auto could not be opened: no access",
                assertThrows(ContenderException.class, () -> opener.open(SETTING, directory))
                        .getMessage());
    }
}
