package io.nixlkv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.host.BoundedOpening.Storage;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BoundedOpeningTest {
    @Test
    void whatOpensInTimeIsTheCallersAndIsNotLetGo() {
        AtomicReference<String> gone = new AtomicReference<>();
        assertEquals(
                "open", BoundedOpening.within(Duration.ZERO, "POSIX (/mnt)", Storage.FILES, () -> "open", gone::set));
        assertEquals(null, gone.get());
    }

    @Test
    void whatItThrowsReachesTheCaller() {
        StorageException refused = new StorageException(Status.NO_SPACE, "full");
        assertSame(
                refused,
                assertThrows(
                        StorageException.class,
                        () -> BoundedOpening.within(
                                Duration.ofDays(400_000),
                                "POSIX (/mnt)",
                                Storage.FILES,
                                () -> {
                                    throw refused;
                                },
                                never -> {})));
        assertThrows(
                NoClassDefFoundError.class,
                () -> BoundedOpening.within(
                        Duration.ZERO,
                        "POSIX (/mnt)",
                        Storage.FILES,
                        () -> {
                            throw new NoClassDefFoundError("x");
                        },
                        never -> {}));
    }

    @Test
    void storageThatDoesNotAnswerIsNamedAndWhatOpensLateIsLetGo() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        AtomicReference<String> gone = new AtomicReference<>();
        long start = System.nanoTime();
        StorageException late = assertThrows(
                StorageException.class,
                () -> BoundedOpening.within(
                        TimeUnit.MILLISECONDS.toNanos(300),
                        "POSIX (/mnt/kv)",
                        Storage.FILES,
                        () -> {
                            awaitUninterrupted(gate);
                            return "late";
                        },
                        opened -> {
                            gone.set(opened);
                            letGo.countDown();
                        }));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(millis >= 300 && millis < 5000, millis + " ms");
        assertEquals(Status.TIMED_OUT, late.status());
        assertTrue(late.getMessage().startsWith("POSIX (/mnt/kv) did not open within 300 ms"), late.getMessage());
        assertTrue(late.getMessage().contains("mounted, not frozen"), late.getMessage());
        gate.countDown();
        assertTrue(letGo.await(20, TimeUnit.SECONDS));
        assertEquals("late", gone.get());
    }

    @Test
    void nothingThatOpenedIsNoSilence() {
        assertNull(BoundedOpening.<String>within(Duration.ZERO, "ACME", Storage.OBJECTS, () -> null, never -> {}));
    }

    @Test
    void aServerThatDoesNotAnswerIsNotMounted() {
        CountDownLatch gate = new CountDownLatch(1);
        StorageException late = assertThrows(
                StorageException.class,
                () -> BoundedOpening.within(
                        TimeUnit.MILLISECONDS.toNanos(50),
                        "OBJ (bucket = kv)",
                        Storage.OBJECTS,
                        () -> {
                            awaitUninterrupted(gate);
                            return "late";
                        },
                        opened -> {}));
        gate.countDown();
        assertEquals(
                "OBJ (bucket = kv) did not open within 50 ms: the storage does not answer; check its address, and that its"
                        + " server is up and can be reached from here, then open the store again",
                late.getMessage());
    }

    private static void awaitUninterrupted(CountDownLatch gate) {
        try {
            assertTrue(gate.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError("the opening thread is never interrupted", e);
        }
    }
}
