package io.nixlkv.host;

import io.nixlkv.nativeio.CudaException;
import io.nixlkv.nativeio.CudaMemory;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * An arena in the memory of one GPU. Transfers go straight to and from it; the processor cannot reach it, so what is not transferred is
 * copied. Thread-safe. A store does not close an arena that it was given.
 */
public final class DeviceArena implements MemoryArena, AutoCloseable {
    private final CudaMemory memory;

    private DeviceArena(CudaMemory memory) {
        this.memory = memory;
    }

    /**
     * Memory that the application owns on a GPU, such as an engine's KV cache. It must stay allocated until the stores on it are closed,
     * and whatever the GPU does with it must have ended before a transfer is asked for.
     *
     * @param device number of the GPU, as CUDA numbers those of this process
     * @param address what {@code cuMemAlloc} or {@code cudaMalloc} answered, or inside; a multiple of 4096
     * @param bytes all of them in that allocation
     * @return the arena; closing it lets the GPU go, and not the memory
     * @throws StorageException {@link Status#INVALID} if CUDA says that it is no such memory; {@link Status#UNAVAILABLE} if CUDA or the
     *     GPU cannot be used; each with what to do
     */
    public static DeviceArena of(int device, long address, long bytes) {
        return new DeviceArena(opened(() -> CudaMemory.over(device, address, bytes)));
    }

    /**
     * Memory allocated on a GPU, owned by the arena.
     *
     * @param bytes at least 1; rounded up to a multiple of 4096
     * @throws StorageException {@link Status#UNAVAILABLE} if CUDA or the GPU cannot be used, {@link Status#NO_SPACE} if it has not that
     *     much free memory; each with what to do
     */
    public static DeviceArena allocate(int device, long bytes) {
        return new DeviceArena(opened(() -> CudaMemory.allocate(device, bytes)));
    }

    private static CudaMemory opened(Supplier<CudaMemory> opening) {
        try {
            return opening.get();
        } catch (CudaException refused) {
            throw failure(refused);
        }
    }

    private static StorageException failure(CudaException refused) {
        return switch (refused.kind()) {
            case OUT_OF_MEMORY ->
                new StorageException(
                        Status.NO_SPACE,
                        "arena: " + refused.getMessage()
                                + "; make buffer_bytes (nixl_buffer_size) smaller or free memory of that GPU",
                        refused);
            case WRONG_MEMORY -> new StorageException(Status.INVALID, "arena: " + refused.getMessage(), refused);
            case UNUSABLE ->
                new StorageException(
                        Status.UNAVAILABLE,
                        "arena: " + refused.getMessage()
                                + "; for host memory write buffer_device = \"cpu\" (nixl_buffer_device: cpu)",
                        refused);
            case FAILED -> new StorageException(Status.FAILED, "arena: " + refused.getMessage(), refused);
        };
    }

    @Override
    public int segments() {
        return memory.segments();
    }

    @Override
    public ByteBuffer segment(int index) {
        throw new StorageException(
                Status.UNSUPPORTED,
                "the arena is memory of GPU " + device()
                        + ", which the processor cannot reach; copy with copyIn and copyOut");
    }

    @Override
    public long address(int segment) {
        return memory.address(segment);
    }

    @Override
    public int bytes(int segment) {
        return memory.bytes(segment);
    }

    @Override
    public Segment kind() {
        return Segment.VRAM_SEG;
    }

    @Override
    public int device() {
        return memory.device();
    }

    @Override
    public void copyOut(int segment, int offset, ByteBuffer into) {
        copying(() -> memory.copyOut(segment, offset, into));
    }

    @Override
    public void copyIn(int segment, int offset, ByteBuffer from) {
        copying(() -> memory.copyIn(segment, offset, from));
    }

    @Override
    public void copyWithin(int segment, int offset, int toSegment, int toOffset, int length) {
        copying(() -> memory.copyWithin(segment, offset, toSegment, toOffset, length));
    }

    @Override
    public void clear(int segment, int offset, int length) {
        copying(() -> memory.clear(segment, offset, length));
    }

    private static void copying(Runnable copy) {
        try {
            copy.run();
        } catch (CudaException refused) {
            throw failure(refused);
        }
    }

    /** Gives the memory back if the arena owns it. Idempotent. */
    @Override
    public void close() {
        memory.close();
    }
}
