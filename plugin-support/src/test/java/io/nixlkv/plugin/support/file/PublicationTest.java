package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicationTest {
    @TempDir
    Path root;

    /** With and without hard links; two backends of one process, as two lock files' worth of publishers. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOfManyPublishersWins(boolean hardLinks) throws Exception {
        Directories directories = new Directories(root, Opened.MODES);
        try (PublishLock one = new PublishLock(root, Opened.MODES);
                PublishLock two = new PublishLock(root, Opened.MODES)) {
            List<Publication> publications =
                    List.of(new Publication(hardLinks, one, directories), new Publication(hardLinks, two, directories));
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                for (int round = 0; round < 30; round++) {
                    Path target = root.resolve("o/" + round);
                    List<Callable<Long>> publishers = new ArrayList<>();
                    for (int i = 0; i < 8; i++) {
                        Path temporary = Files.write(root.resolve("t" + i), new byte[100 + i]);
                        Publication publication = publications.get(i % 2);
                        publishers.add(() -> publication.create(temporary, target, Opened.soon()));
                    }
                    int winners = 0;
                    for (Future<Long> result : threads.invokeAll(publishers)) {
                        long found = result.get();
                        winners += found == StoredObject.ABSENT ? 1 : 0;
                        assertEquals(found == StoredObject.ABSENT ? Files.size(target) : found, Files.size(target));
                    }
                    assertEquals(1, winners);
                    for (int i = 0; i < 8; i++) {
                        Files.deleteIfExists(root.resolve("t" + i));
                    }
                }
            } finally {
                threads.shutdown();
            }
        }
    }

    @Test
    void replacesAnEmptyLeftoverAndReplacesOnDemand() throws IOException {
        try (PublishLock lock = new PublishLock(root, Opened.MODES)) {
            Publication publication = Publication.tried(root, lock, new Directories(root, Opened.MODES));
            assertEquals("hard link", publication.describe());
            Path target = Files.createFile(root.resolve("k"));
            Path first = Files.write(root.resolve("t"), new byte[3]);
            assertEquals(StoredObject.ABSENT, publication.create(first, target, Opened.soon()));
            assertFalse(Files.exists(first));
            assertEquals(3, Files.size(target));
            Path second = Files.write(root.resolve("t"), new byte[4]);
            assertEquals(3, publication.create(second, target, Opened.soon()));
            publication.replace(second, target);
            assertEquals(4, Files.size(target));
        }
    }
}
