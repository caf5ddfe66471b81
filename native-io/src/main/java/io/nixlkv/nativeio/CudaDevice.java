package io.nixlkv.nativeio;

import io.nixlkv.nativeio.CudaException.Kind;
import io.nixlkv.nativeio.CudaLibrary.Numbers;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * One GPU, with its primary context: the one that CUDA's runtime uses, and with it native NIXL. Any thread may call; the context is
 * current during a call only. Calls must have ended before it is closed.
 */
public final class CudaDevice implements AutoCloseable {
    /** Bytes through which memory of the JVM's heap is copied. */
    private static final int STAGE = 1 << 20;

    /** What CUDA calls memory of a device. */
    private static final long DEVICE_MEMORY = 2;

    private final CudaLibrary library;
    private final int number;
    private long handle;

    CudaDevice(CudaLibrary library, int number, long handle) {
        this.library = library;
        this.number = number;
        this.handle = handle;
    }

    /** Its number. */
    public int number() {
        return number;
    }

    /** Bytes that are free, with those of other processes taken off. */
    public long freeBytes() {
        return information().get(0);
    }

    private Numbers information() {
        Numbers numbers = new Numbers();
        library.check(Kind.FAILED, CudaCalls.information(handle, numbers.address()), "cuMemGetInfo", "");
        return numbers;
    }

    /** @throws CudaException if it does not have that much free memory */
    long allocate(long bytes) {
        Numbers numbers = new Numbers();
        try {
            library.check(Kind.FAILED, CudaCalls.allocate(handle, bytes, numbers.address()), "cuMemAlloc", "");
        } catch (CudaException refused) {
            if (refused.kind() != Kind.OUT_OF_MEMORY) {
                throw refused;
            }
            Numbers memory = information();
            throw new CudaException(
                    Kind.OUT_OF_MEMORY,
                    "GPU " + number + " has not enough free memory for " + bytes + " bytes: " + refused.getMessage()
                            + ", " + memory.get(0) + " of " + memory.get(1) + " bytes are free");
        }
        return numbers.get(0);
    }

    void free(long address) {
        library.check(Kind.FAILED, CudaCalls.release(handle, address), "cuMemFree", "");
    }

    /** @throws CudaException unless all bytes are in one allocation on this GPU */
    void requireOwn(long address, long bytes) {
        Numbers numbers = new Numbers();
        String what = "the " + bytes + " bytes at address 0x" + Long.toHexString(address);
        int code = CudaCalls.describe(handle, address, numbers.address());
        if (code != 0 || numbers.get(0) != DEVICE_MEMORY) {
            throw new CudaException(
                    Kind.WRONG_MEMORY,
                    what + " are no memory of a GPU, as far as CUDA knows; give an address that cuMemAlloc or"
                            + " cudaMalloc answered, or one inside");
        }
        if (numbers.get(1) != number) {
            throw new CudaException(
                    Kind.WRONG_MEMORY, what + " are on GPU " + numbers.get(1) + ", not on GPU " + number);
        }
        long end = numbers.get(2) + numbers.get(3);
        if (address < numbers.get(2) || bytes > end - address) {
            throw new CudaException(
                    Kind.WRONG_MEMORY,
                    what + " are not inside one allocation: it has " + (end - address) + " bytes from there on");
        }
    }

    /** Copies {@code from}, position to limit, to {@code address}; its position moves to its limit. */
    void copyIn(long address, ByteBuffer from) {
        if (from.isDirect()) {
            move(true, address, from, from.remaining());
            return;
        }
        ByteBuffer stage = DirectBuffers.allocate(Math.min(STAGE, from.remaining()));
        for (long at = address; from.hasRemaining(); ) {
            int part = Math.min(stage.capacity(), from.remaining());
            stage.clear().put(from.slice(from.position(), part)).flip();
            from.position(from.position() + part);
            move(true, at, stage, part);
            at += part;
        }
    }

    /** Copies from {@code address} into {@code into}, position to limit; its position moves to its limit. */
    void copyOut(long address, ByteBuffer into) {
        if (into.isDirect() && !into.isReadOnly()) {
            move(false, address, into, into.remaining());
            return;
        }
        ByteBuffer stage = DirectBuffers.allocate(Math.min(STAGE, into.remaining()));
        for (long at = address; into.hasRemaining(); ) {
            int part = Math.min(stage.capacity(), into.remaining());
            stage.clear().limit(part);
            move(false, at, stage, part);
            into.put(stage.flip());
            at += part;
        }
    }

    private void move(boolean in, long address, ByteBuffer host, int bytes) {
        if (bytes > 0) {
            try {
                long at = DirectBuffers.address(host) + host.position();
                library.check(
                        Kind.FAILED,
                        in
                                ? CudaCalls.copyIn(handle, address, at, bytes)
                                : CudaCalls.copyOut(handle, at, address, bytes),
                        (in ? "copy to" : "copy from") + " GPU " + number,
                        "");
            } finally {
                Reference.reachabilityFence(host);
            }
        }
        host.position(host.position() + bytes);
    }

    void copyWithin(long from, long to, int bytes) {
        library.check(Kind.FAILED, CudaCalls.copyWithin(handle, to, from, bytes), "copy on GPU " + number, "");
    }

    void clear(long address, int bytes) {
        library.check(Kind.FAILED, CudaCalls.clear(handle, address, bytes), "cuMemsetD8 on GPU " + number, "");
    }

    /** Lets the context go. Idempotent. */
    @Override
    public void close() {
        if (handle != 0) {
            CudaCalls.deviceClose(handle);
            handle = 0;
        }
    }
}
