package io.nixlkv.plugin.support.testing;

import io.nixlkv.nativeio.CudaException;
import io.nixlkv.nativeio.CudaMemory;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;

/** An arena in memory of a GPU, as a host makes it. */
public record CudaArena(CudaMemory memory) implements MemoryArena, AutoCloseable {
    /** Of {@code bytes} on GPU 1, since a number that is forgotten is 0; the caller closes it. */
    public static CudaArena of(long bytes) {
        return new CudaArena(CudaMemory.allocate(1, bytes));
    }

    @Override
    public int segments() {
        return memory.segments();
    }

    @Override
    public ByteBuffer segment(int index) {
        throw new StorageException(Status.UNSUPPORTED, "memory of a GPU has no view");
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
            throw new StorageException(Status.FAILED, refused.getMessage(), refused);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
