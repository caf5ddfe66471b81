package io.nixlkv.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.hicache.ArenaPool;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.StridedPool;
import io.nixlkv.host.hicache.HostRegistration;
import io.nixlkv.host.hicache.HostRegistration.Direction;
import io.nixlkv.host.hicache.StorageRegistration;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registrations of files and of host memory: what they hold, and that neither, alone or together, leaks any of it. */
class HiCacheFileRegistrationIT {
    private static final int PAGES = 4;

    @TempDir
    Path directory;

    private static long openFiles(Path below) throws IOException {
        long count = 0;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).startsWith(below)) {
                    count++;
                }
            }
        }
        return count;
    }

    /** Descriptors that a store opens for itself come and go while it starts. */
    private static void assertOpenFiles(long expected, Path below, String when) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (openFiles(below) != expected && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertEquals(expected, openFiles(below), when);
    }

    private static StridedPool copied() {
        return StridedPool.layerFirst(ByteBuffer.allocate(2 * PAGES * 1000), false, 1, PAGES, 1000);
    }

    private static HiCacheRig rig(Path directory, int bouncePages) {
        return new HiCacheRig(
                directory,
                HiCacheRig.MHA,
                false,
                HiCacheOptions.DEFAULT.withBouncePages(bouncePages).with(Duration.ofSeconds(5)),
                "num_workers = 2");
    }

    private static StorageRegistration storage(HostRegistration host, Direction direction) {
        return host.storage(direction, HiCacheRig.hashes(PAGES), HiCacheRig.pages(PAGES), 0, PAGES, System.nanoTime())
                .orElseThrow();
    }

    /** Storage alone, with zero copy: descriptors are open while files are transferred, and at no other time. */
    @Test
    void filesAreOpenOnlyWhileTheyAreTransferred() throws IOException {
        try (HiCacheRig rig = rig(directory, 0);
                ArenaPool pool = rig.pool(PAGES, 1000)) {
            HostRegistration host = (HostRegistration) rig.view.register(pool);
            HiCacheRig.fill(pool);
            long before = openFiles(directory);
            try (StorageRegistration storage = storage(host, Direction.STORE)) {
                BatchResult stored = rig.store.store(storage.objects(), CallOptions.DEFAULT);
                assertTrue(stored.allOk());
                assertOpenFiles(before, directory, "after success, inside the registration");
            }
            assertEquals(2 * PAGES, rig.files().size());
            assertTrue(rig.view
                    .batchGetV1(HiCacheRig.hashes(PAGES), HiCacheRig.pages(PAGES))
                    .allOk());
            Files.delete(rig.files().get(0));
            Files.write(rig.files().get(1), new byte[1]);
            BatchResult some = rig.view.batchGetV1(HiCacheRig.hashes(PAGES), HiCacheRig.pages(PAGES));
            assertTrue(some.okCount() < PAGES);
            assertOpenFiles(before, directory, "after a miss and a short file");
        }
        assertEquals(0, openFiles(directory), "after close");
    }

    /** Host memory alone. */
    @Test
    void aHostRegistrationHoldsItsBounceMemoryAndGivesItBack() {
        try (HiCacheRig rig = rig(directory, 3)) {
            long free = rig.store.arena().freeBytes();
            for (int round = 0; round < 100; round++) {
                try (HostRegistration host = (HostRegistration) rig.view.register(copied())) {
                    assertEquals(free - 2 * 3 * 4096, rig.store.arena().freeBytes());
                    assertEquals(3, host.bouncePages());
                }
                assertEquals(free, rig.store.arena().freeBytes());
            }
        }
    }

    @Test
    void aRegistrationThatDoesNotFitLeavesNothing() {
        try (HiCacheRig rig = rig(directory, 20_000)) {
            long free = rig.store.arena().freeBytes();
            StorageException refused = assertThrows(StorageException.class, () -> rig.view.register(copied()));
            assertEquals(Status.NO_SPACE, refused.status());
            assertTrue(refused.getMessage().contains("2 x 20000 pages of 2000 bytes"), refused.getMessage());
            assertEquals(free, rig.store.arena().freeBytes());
        }
    }

    /** Both together: memory stays while a transfer stands on it, whoever closes first. */
    @Test
    void aTransferKeepsItsPoolsMemory() throws Exception {
        try (HiCacheRig rig = rig(directory, 2)) {
            long free = rig.store.arena().freeBytes();
            HostRegistration host = (HostRegistration) rig.view.register(copied());
            StorageRegistration storage = storage(host, Direction.LOAD);
            assertEquals(2, storage.pageCount());
            Optional<StorageRegistration> none = host.storage(
                    Direction.LOAD, HiCacheRig.hashes(PAGES), HiCacheRig.pages(PAGES), 0, PAGES, System.nanoTime());
            assertTrue(none.isEmpty(), "no bounce memory left");
            CompletableFuture<BatchResult> waiting =
                    HiCacheRig.start(() -> rig.view.batchGetV1(HiCacheRig.hashes(1), 0));
            CompletableFuture<Boolean> closing = HiCacheRig.start(() -> {
                host.close();
                return true;
            });
            assertEquals(
                    Status.UNAVAILABLE,
                    waiting.handle((result, failed) -> failed == null
                                    ? result.get(0).status()
                                    : ((StorageException) failed.getCause()).status())
                            .get(4, TimeUnit.SECONDS),
                    "who waits for bounce memory is told at once");
            assertEquals(free - 2 * 2 * 4096, rig.store.arena().freeBytes(), "still in use");
            assertThrows(StorageException.class, () -> storage(host, Direction.STORE));
            storage.close();
            storage.close();
            closing.get(5, TimeUnit.SECONDS);
            assertEquals(free, rig.store.arena().freeBytes());
        }
    }

    @Test
    void nothingLeaksThroughManyTransfersGoodAndBad() throws IOException {
        try (HiCacheRig rig = rig(directory, 2)) {
            long free = rig.store.arena().freeBytes();
            long files = openFiles(directory);
            List<String> hashes = HiCacheRig.hashes(PAGES);
            try (ArenaPool direct = rig.pool(PAGES, 1000)) {
                for (HostPool pool : List.of(copied(), direct)) {
                    try (PoolRegistration registration = rig.view.register(pool)) {
                        assertEquals(pool == direct, registration.zeroCopy());
                        for (int round = 0; round < 50; round++) {
                            assertTrue(rig.view
                                    .batchSetV1(hashes, HiCacheRig.pages(PAGES))
                                    .allOk());
                            assertTrue(rig.view
                                    .batchGetV1(hashes, HiCacheRig.pages(PAGES))
                                    .allOk());
                            assertEquals(
                                    0,
                                    rig.view
                                            .batchGetV1(List.of(HiCacheRig.hash(99)), 0)
                                            .okCount());
                            assertThrows(StorageException.class, () -> rig.view.batchGetV1(hashes, 0, 1, 2, 99));
                        }
                    }
                }
            }
            assertEquals(free, rig.store.arena().freeBytes());
            // a worker may open something when it is first needed; a leak would be hundreds
            long still = openFiles(directory);
            assertTrue(still <= files + 8, still + " open files after " + files);
        }
    }

    /** A pool that fails to copy costs its call, and no memory. */
    @Test
    void aPoolThatThrowsLeaksNothing() {
        try (HiCacheRig rig = rig(directory, 2)) {
            long free = rig.store.arena().freeBytes();
            HostPool broken = new HostPool() {
                @Override
                public String layout() {
                    return "layer_first";
                }

                @Override
                public int pages() {
                    return PAGES;
                }

                @Override
                public int pageBytes() {
                    return 100;
                }

                @Override
                public void copyOut(int page, ByteBuffer flat) {
                    if (page > 1) {
                        throw new IllegalStateException("page " + page + " is gone");
                    }
                }

                @Override
                public void copyIn(int page, ByteBuffer flat) {
                    throw new IllegalStateException("page " + page + " is gone");
                }
            };
            List<String> hashes = HiCacheRig.hashes(PAGES);
            try (HostRegistration host = (HostRegistration) rig.view.register(broken)) {
                for (int round = 0; round < 20; round++) {
                    assertThrows(
                            IllegalStateException.class, () -> rig.view.batchSetV1(hashes, HiCacheRig.pages(PAGES)));
                    assertTrue(rig.view.batchSetV1(hashes.subList(0, 2), 0, 1).allOk());
                    assertThrows(IllegalStateException.class, () -> rig.view.batchGetV1(hashes.subList(0, 2), 0, 1));
                }
                try (StorageRegistration storage = storage(host, Direction.LOAD)) {
                    assertEquals(2, storage.pageCount(), "all bounce memory is back");
                }
            }
            assertEquals(free, rig.store.arena().freeBytes());
        }
    }
}
