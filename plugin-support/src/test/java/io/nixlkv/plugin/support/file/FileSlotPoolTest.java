package io.nixlkv.plugin.support.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.plugin.support.testing.ChildJvm;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"nio", "threads", "uring", "aio", "posix_aio"})
class FileSlotPoolTest {
    @Parameter
    private String engine;

    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsContentsOverReopening(boolean direct) throws IOException {
        try (Opened store = new Opened(engine, direct, root)) {
            store.durable = true;
            SlotPool pool = store.backend.openPool("kv", 8, 8192);
            store.fill(8192, 5);
            assertEquals(Status.DONE, store.slot(Op.WRITE, pool, 7, 8192));
            store.fill(100, 6);
            assertEquals(Status.DONE, store.slot(Op.WRITE, pool, 0, 100));
        }
        assertEquals(8 * 8192, Files.size(root.resolve(".nixlkv/pools/kv.slab")));
        try (Opened store = new Opened(engine, direct, root)) {
            SlotPool pool = store.backend.openPool("kv", 8, 8192);
            assertEquals(Status.DONE, store.slot(Op.READ, pool, 7, 8192));
            store.holds(8192, 5);
            assertEquals(Status.DONE, store.slot(Op.READ, pool, 0, 100));
            store.holds(100, 6);
            assertEquals(List.of(), store.list(""));
            long bypassed = store.backend.report().counters().get("transfers_direct");
            assertEquals(direct && store.backend.report().facts().toString().contains("on, blocks") ? 1 : 0, bypassed);
        }
    }

    @Test
    void refusesASecondOpenerAndKeepsTheFirstOnesLock() throws Exception {
        try (Opened first = new Opened(engine, false, root);
                Opened second = new Opened(engine, false, root)) {
            SlotPool pool = first.backend.openPool("kv", 8, 4096);
            StorageException same = assertThrows(StorageException.class, () -> first.backend.openPool("kv", 8, 4096));
            assertTrue(same.getMessage().contains("in use by this process"), same.getMessage());
            StorageException other = assertThrows(StorageException.class, () -> second.backend.openPool("kv", 8, 4096));
            assertEquals(Status.UNAVAILABLE, other.status());
            try (ChildJvm child = ChildMain.start(List.of(), "pool", root)) {
                assertTrue(child.line().contains("in use by another process"));
            }
            pool.close();
            second.backend.openPool("kv", 8, 4096).close();
        }
    }

    @Test
    void aKilledOwnerFreesThePool() throws Exception {
        try (ChildJvm child = ChildMain.start(List.of(), "pool", root)) {
            assertEquals("opened", child.line());
            try (Opened store = new Opened(engine, false, root)) {
                assertThrows(StorageException.class, () -> store.backend.openPool("kv", 8, 4096));
            }
            child.kill();
        }
        try (Opened store = new Opened(engine, false, root)) {
            store.backend.openPool("kv", 8, 4096).close();
        }
        try (var left = Files.list(root.resolve(".nixlkv/pools"))) {
            assertEquals(
                    List.of("kv.lock", "kv.slab"),
                    left.map(f -> f.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void refusesAnotherGeometry() {
        try (Opened store = new Opened(engine, false, root)) {
            store.backend.openPool("kv", 8, 4096).close();
            StorageException refused =
                    assertThrows(StorageException.class, () -> store.backend.openPool("kv", 4, 8192));
            assertEquals(Status.INVALID, refused.status());
            assertTrue(refused.getMessage().contains("(8, 4096)"), refused.getMessage());
            assertThrows(StorageException.class, () -> store.backend.openPool("../x", 4, 8192));
            store.backend.openPool("kv", 8, 4096).close();
        }
    }

    @Test
    void slotsOfAClosedOrForeignPoolAreInvalid(@TempDir Path elsewhere) {
        try (Opened store = new Opened(engine, false, root);
                Opened other = new Opened(engine, false, elsewhere)) {
            SlotPool pool = store.backend.openPool("kv", 8, 4096);
            assertEquals(Status.INVALID, other.slot(Op.READ, pool, 0, 10));
            pool.close();
            assertEquals(Status.INVALID, store.slot(Op.READ, pool, 0, 10));
            assertFalse(store.sentence().isEmpty());
        }
    }

    @Test
    void anInterruptHarmsNobody() throws InterruptedException {
        try (Opened store = new Opened(engine, false, root)) {
            SlotPool pool = store.backend.openPool("kv", 8, 65536);
            store.fill(65536, 1);
            for (int slot = 0; slot < 8; slot++) {
                assertEquals(Status.DONE, store.slot(Op.WRITE, pool, slot, 65536));
            }
            AtomicInteger bad = new AtomicInteger();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(800);
            List<Thread> readers = new ArrayList<>();
            for (int reader = 0; reader < 4; reader++) {
                int slot = reader;
                readers.add(new Thread(() -> {
                    try (Opened.Caller caller = store.caller()) {
                        while (System.nanoTime() < end) {
                            if (caller.slot(Op.READ, pool, slot, 65536) != Status.DONE) {
                                bad.incrementAndGet();
                            }
                        }
                    }
                }));
            }
            readers.forEach(Thread::start);
            while (System.nanoTime() < end) {
                readers.get(0).interrupt();
                TimeUnit.MILLISECONDS.sleep(5);
            }
            for (Thread reader : readers) {
                reader.join(TimeUnit.SECONDS.toMillis(20));
            }
            assertEquals(0, bad.get());
            assertEquals(Status.DONE, store.slot(Op.READ, pool, 0, 65536));
        }
    }

    @Test
    void anInterruptedCallerStillStoresAndKeepsItsFlag() {
        try (Opened store = new Opened(engine, false, root)) {
            Thread.currentThread().interrupt();
            Status status = store.create("k", 1000);
            assertTrue(Thread.interrupted());
            assertEquals(Status.DONE, status);
        }
    }
}
