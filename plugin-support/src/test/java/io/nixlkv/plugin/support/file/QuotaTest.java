package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nixlkv.plugin.support.testing.Mounts;
import io.nixlkv.spi.PoolLayout;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory with a quota in a file system with room. The quota is one of btrfs, which holds for root too; that of ext4 does not, and
 * needs a kernel that was built for it.
 */
@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio"})
class QuotaTest {
    private static final int EDQUOT = 122;
    private static final int QUOTA = 2 << 20;
    private static final int BIG = 3 << 20;

    @Parameter
    private String engine;

    private final Mounts mounts = new Mounts();

    @TempDir
    Path work;

    @TempDir
    Path other;

    private Path root;

    @BeforeEach
    void mount() throws IOException {
        Opened.assumeUsable(engine);
        Path image = work.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(128 << 20);
        }
        root = Files.createDirectory(work.resolve("root"));
        assumeTrue(Mounts.succeeds(List.of("mkfs.btrfs", "-q", image.toString())), "needs mkfs.btrfs of btrfs-progs");
        mounts.mount(root, "-t", "btrfs", "-o", "loop", image.toString());
        assumeTrue(Mounts.succeeds(List.of("btrfs", "quota", "enable", root.toString())), "needs quotas of btrfs");
        assertTrue(Mounts.succeeds(List.of("btrfs", "qgroup", "limit", Integer.toString(QUOTA), root.toString())));
    }

    @AfterEach
    void unmount() {
        mounts.unmountAll();
    }

    @Test
    void whatExceedsItFailsAloneAndLeavesNothing() throws IOException {
        try (Opened store = new Opened(engine, false, root, other)) {
            store.batch.start(Op.WRITE, Mode.CREATE, false, Opened.soon(), null);
            store.batch.add("big", 0, 0, 0, BIG);
            for (int i = 0; i < 8; i++) {
                store.batch.add("elsewhere" + i, 1, 0, i * 4096, 4096);
            }
            store.execute();
            assertExceeded(store, "big");
            for (int i = 1; i <= 8; i++) {
                assertEquals(Status.DONE, store.batch.status(i), store.batch.sentence(i));
            }
            assertEquals(Status.MISSING, store.query("big"));
            assertEquals(List.of(), store.list(""));
            assertEquals(List.of(), Opened.temporaries(root));

            assertEquals(Status.DONE, store.create("small", 64 << 10));
            assertEquals(Status.NO_SPACE, store.replace("small", BIG));
            assertExceeded(store, "small");
            assertEquals(Status.DONE, store.read("small", 64 << 10), "the old object is untouched");

            StorageException pool = assertThrows(
                    StorageException.class, () -> store.backend.openPool("kv", 64, 1 << 16, PoolLayout.SLAB));
            assertEquals(Status.NO_SPACE, pool.status());
            assertTrue(pool.getMessage().contains("quota"), pool.getMessage());
            assertEquals(Status.DONE, store.create("small2", 64 << 10));
        }
    }

    @Test
    void aUsedUpQuotaStillServesWhatIsThereAndCanBeEmptied() throws IOException {
        int stored;
        try (Opened store = new Opened(engine, false, root)) {
            List<Status> statuses = IntStream.range(0, 12)
                    .mapToObj(i -> store.create("k" + i, 256 << 10))
                    .toList();
            stored = statuses.indexOf(Status.NO_SPACE);
            assertTrue(stored >= 4, statuses::toString);
            assertExceeded(store, "k11");
            for (int i = 0; i < 12; i++) {
                assertEquals(statuses.get(i) == Status.DONE ? Status.DONE : Status.MISSING, store.query("k" + i));
            }
            assertEquals(List.of(), Opened.temporaries(root));
            for (int bytes = 128 << 10; bytes >= 4096; bytes /= 2) {
                store.create("rest" + bytes, bytes);
            }
        }
        try (Opened store = new Opened(engine, false, root)) {
            assertEquals(Status.DONE, store.query("k0"));
            assertEquals(Status.DONE, store.read("k0", 256 << 10));
            assertEquals(Status.ALREADY_PRESENT, store.create("k0", 256 << 10));
            assertEquals(Status.NO_SPACE, store.create("new", 512 << 10));
            assertExceeded(store, "new");
            for (int i = 0; i < stored; i++) {
                assertEquals(Status.DONE, store.delete("k" + i));
            }
            assertEquals(Status.DONE, store.create("new", 512 << 10));
            assertEquals(Status.DONE, store.read("new", 512 << 10));
        }
    }

    private void assertExceeded(Opened store, String name) throws IOException {
        assertEquals(Status.NO_SPACE, store.batch.status(0), store.sentence());
        assertEquals(EDQUOT, store.batch.code(0));
        assertTrue(store.sentence().contains("\"" + name + "\" in " + root.toRealPath()), store.sentence());
        assertTrue(store.sentence().contains("quota exceeded; raise the quota"), store.sentence());
    }
}
