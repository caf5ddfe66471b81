package io.nixlkv.host;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.nativeio.CudaException;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The arena of a store that is being opened, and who gives it back: memory of a GPU as soon as the store is closed or not opened after
 * all; host memory goes with the last reference to it, and an application's is the application's.
 *
 * @param arena all memory of the store's transfers
 * @param release gives it back; idempotent
 */
record StoreMemory(MemoryArena arena, Runnable release) {
    private static final Runnable NOTHING = () -> {};
    private static final Logger LOG = LoggerFactory.getLogger(StoreMemory.class);

    /** Memory that is not given back here. */
    static StoreMemory kept(MemoryArena arena) {
        return new StoreMemory(arena, NOTHING);
    }

    /** @throws StorageException saying what is missing, and what to do */
    static StoreMemory ofGpu(int number, long bytes) {
        DeviceArena arena = DeviceArena.allocate(number, bytes);
        return new StoreMemory(arena, () -> close(arena));
    }

    private static void close(DeviceArena arena) {
        try {
            arena.close();
        } catch (CudaException refused) {
            LOG.warn("memory of GPU {} could not be given back", arena.device(), refused);
        }
    }

    /** Runs a part of the opening; if it fails the memory is given back. */
    <T> T releasedUnless(Supplier<T> opened) {
        try {
            return opened.get();
        } catch (RuntimeException | Error refused) {
            release.run();
            throw refused;
        }
    }

    /** Leaves it to an open store. @param whenReleased takes what is to be done once no lane of it touches the memory any more */
    void givenBackBy(Consumer<Runnable> whenReleased) {
        if (release != NOTHING) {
            whenReleased.accept(release);
        }
    }

    /** Takes back what was opened too late, then gives the memory back. */
    void releasedAfter(Runnable closing) {
        try {
            closing.run();
        } finally {
            release.run();
        }
    }

    /** The same for a part that makes nothing. */
    void passing(Runnable passed) {
        releasedUnless(() -> {
            passed.run();
            return null;
        });
    }

    /** @throws StorageException INVALID if a segment is not as {@link MemoryArena} says */
    static MemoryArena checked(MemoryArena arena) {
        for (int i = 0; i < arena.segments(); i++) {
            boolean fits = arena.kind() == Segment.VRAM_SEG
                    ? arena.address(i) != 0 && arena.address(i) % MemoryArena.ALIGNMENT == 0
                    : arena.segment(i).isDirect() && arena.segment(i).alignmentOffset(0, MemoryArena.ALIGNMENT) == 0;
            if (!fits || arena.bytes(i) > 1 << 30) {
                throw new StorageException(
                        Status.INVALID,
                        "arena segment " + i + " must be a direct buffer of at most 1 GiB that starts at a multiple of "
                                + MemoryArena.ALIGNMENT + " bytes, or as much memory of a GPU");
            }
        }
        return arena;
    }

    /**
     * The configuration as it is for an arena that an application gives.
     *
     * @throws StorageException INVALID if it wants memory of a GPU and gets host memory
     */
    static HostConfig fitting(HostConfig config, MemoryArena arena) {
        if (arena.kind() == Segment.VRAM_SEG) {
            long bytes = 0;
            for (int i = 0; i < arena.segments(); i++) {
                bytes += arena.bytes(i);
            }
            return config.withCall("store.buffer_device", "cuda:" + arena.device())
                    .withCall("store.buffer_bytes", Long.toString(bytes));
        }
        boolean right = config.validate(List.of()).isEmpty();
        if (right && config.store().gpu().isPresent()) {
            throw new StorageException(
                    Status.INVALID,
                    config.source() + ": buffer_device is cuda:"
                            + config.store().gpu().getAsInt()
                            + " and the given arena is host memory; give a DeviceArena, or write buffer_device = \"cpu\"");
        }
        return config;
    }
}
