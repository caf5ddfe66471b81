package io.nixlkv.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Addresses of direct buffers, and buffers over addresses. */
final class DirectBuffers {
    private DirectBuffers() {}

    /** Address of the buffer's byte 0; 0 if it is not direct. */
    static native long address(ByteBuffer buffer);

    /** A buffer that does not own its memory. */
    static native ByteBuffer view(long address, long bytes);

    /** A direct buffer in native byte order, aligned to 8 bytes. */
    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes + 8)
                .alignedSlice(8)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }
}
