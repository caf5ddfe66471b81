package io.nixlkv.plugin.docamemos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.MappedArena;
import io.nixlkv.plugin.support.testing.NeedsStandIn;
import io.nixlkv.plugin.support.testing.StandIn;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.ParameterValues;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lane makes of a device that says "done" for whatever it read. */
@NeedsStandIn
class DocaMemosLaneTest {
    private static final String FIRST = "00112233445566778899aabbccddeeff";
    private static final String SECOND = "ffeeddccbbaa99887766554433221100";
    private static final int LENGTH = 4096;

    @TempDir
    Path device;

    private MappedArena arena;
    private StorageBackend backend;
    private Lane lane;
    private PackedBatch batch;

    @BeforeEach
    void open() {
        StandIn.named("sound").use();
        open("actual");
    }

    private void open(String query) {
        DocaMemosStrategy strategy = new DocaMemosStrategy();
        arena = MappedArena.of(1 << 20);
        batch = new PackedBatch(arena, 64);
        backend = strategy.open(new OpenContext(
                "nixl",
                ParameterValues.of(
                        strategy.info().parameters(),
                        Map.of(
                                "device_name",
                                device.toString(),
                                "num_tasks",
                                "8",
                                "query_mem_mode",
                                query,
                                "min_free_hugepages",
                                "0")),
                arena,
                1));
        lane = backend.openLane();
    }

    @AfterEach
    void close() {
        lane.close();
        backend.close();
        arena.close();
    }

    private void run(Op op, int length, String... names) {
        batch.start(op, Mode.REPLACE, false, System.nanoTime() + TimeUnit.SECONDS.toNanos(30), null);
        for (int i = 0; i < names.length; i++) {
            batch.add(names[i], 0, 0, i * 2 * LENGTH, length);
        }
        lane.execute(batch);
    }

    @Test
    void whatIsWrittenIsRead() {
        arena.segment(0).put(LENGTH - 1, (byte) 42);
        run(Op.WRITE, LENGTH, FIRST);
        assertEquals(Status.DONE, batch.status(0), batch.sentence(0));
        arena.segment(0).put(LENGTH - 1, (byte) 0);
        run(Op.READ, LENGTH, FIRST, SECOND);
        assertEquals(Status.DONE, batch.status(0));
        assertEquals(42, arena.segment(0).get(LENGTH - 1));
        assertEquals(Status.MISSING, batch.status(1));
    }

    @Test
    void aShorterObjectIsNoSuccess() {
        run(Op.WRITE, LENGTH, FIRST);
        run(Op.READ, LENGTH + 100, FIRST);
        assertEquals(Status.WRONG_SIZE, batch.status(0));
    }

    @Test
    void aMarkThatTheObjectHappensToEndWithDoesNotMislead() {
        for (int value = 0; value < 256; value++) {
            arena.segment(0).put(0, (byte) value);
            run(Op.WRITE, 1, FIRST);
            run(Op.READ, 1, FIRST);
            assertEquals(Status.DONE, batch.status(0), "value " + value);
            assertEquals((byte) value, arena.segment(0).get(0));
        }
    }

    @Test
    void lookUpsAskTheDevice() {
        run(Op.WRITE, LENGTH, FIRST);
        run(Op.QUERY, 0, FIRST, SECOND);
        assertEquals(Status.DONE, batch.status(0));
        assertEquals(Status.MISSING, batch.status(1));
    }

    @Test
    void whoInsistsGetsPresentForEveryKey() {
        close();
        open("assume_success");
        run(Op.QUERY, 0, SECOND);
        assertEquals(Status.DONE, batch.status(0));
    }

    @Test
    void moreObjectsThanTasks() {
        String[] names = new String[40];
        for (int i = 0; i < names.length; i++) {
            names[i] = "%032x".formatted(i + 1);
        }
        run(Op.WRITE, LENGTH, names);
        run(Op.READ, LENGTH, names);
        for (int i = 0; i < names.length; i++) {
            assertEquals(Status.DONE, batch.status(i), "item " + i);
        }
    }

    @Test
    void otherNamesAndOperationsAreRefusedOneByOne() {
        run(Op.WRITE, LENGTH, FIRST, "abc", "00112233445566778899AABBCCDDEEFF");
        assertEquals(Status.DONE, batch.status(0));
        assertEquals(Status.INVALID, batch.status(1));
        assertTrue(batch.sentence(1).contains("32 lower-case hexadecimal digits"), batch.sentence(1));
        assertEquals(Status.INVALID, batch.status(2));
        run(Op.DELETE, 0, FIRST);
        assertEquals(Status.UNSUPPORTED, batch.status(0));
    }
}
