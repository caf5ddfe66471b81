package io.nixlkv.nativeio;

import org.bytedeco.javacpp.annotation.Namespace;
import org.bytedeco.javacpp.annotation.NoException;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The shim's functions as they are, documented in {@code src/main/native/calls.h}. Only numbers cross; addresses are those of
 * direct buffers. Callable only while {@link NativeIo#isAvailable()}.
 */
@Platform(value = "linux-x86_64", include = "nixlkv.h", library = "jniNixlkv")
@Namespace("nixlkv::calls")
@NoException
final class NativeCalls {
    private NativeCalls() {}

    static native int packedAbi();

    static native void errorText(int errno, long into, int capacity);

    static native int engineProblem(int kind);

    static native long limitOf(int which);

    static native long mapMemory(long bytes, int pages);

    static native int unmapMemory(long address, long bytes);

    static native long backendOpen(int kind, int submitters, int queueDepth);

    static native int segmentAdd(long backend, long address, long bytes);

    static native int rootAdd(long backend, long path, long temporaries, int fileMode, int directoryMode, int block);

    static native long poolNew(int count, int slotBytes);

    static native int poolFile(long pool, long path, int block);

    static native void poolDrop(long pool);

    static native long poolReady(long backend, long pool);

    static native void poolClose(long backend, long handle);

    static native int stagedTake(long backend, long token, long into, int capacity);

    static native void backendStop(long backend);

    static native void backendClose(long backend);

    static native long laneOpen(long backend);

    static native int laneRegistration(long lane);

    static native void laneClose(long lane);

    static native int execute(
            long lane, long packed, long bytes, long remainingNanos, long remarks, int remarkCapacity, long counters);
}
