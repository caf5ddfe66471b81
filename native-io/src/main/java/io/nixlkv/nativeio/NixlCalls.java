package io.nixlkv.nativeio;

import org.bytedeco.javacpp.annotation.Namespace;
import org.bytedeco.javacpp.annotation.NoException;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The shim's functions for NIXL, documented in {@code src/main/native/nixl_calls.h}. Only numbers cross. Callable only while
 * {@link NativeIo#isAvailable()}.
 */
@Platform(value = "linux-x86_64", include = "nixl_calls.h", library = "jniNixlkv")
@Namespace("nixlkv::nixl::calls")
@NoException
final class NixlCalls {
    private NixlCalls() {}

    static native void dynamicLibrary(long path, long into, int capacity);

    static native void environment(long name, long value);

    static native long libraryOpen(long path, long into, int capacity);

    static native long laneNew(
            long library,
            long name,
            long plugin,
            long parameters,
            int storage,
            boolean progressThread,
            long slots,
            long pieceBytes);

    static native int laneOnDevice(long lane, long cudaLibrary, int number);

    static native void laneMemory(long lane, long address, long bytes);

    static native int laneOpen(long lane, long into, int capacity);

    static native void laneClose(long lane);

    static native long laneKeep(long lane, long meta);

    static native void laneDrop(long lane, long device);

    static native void files(long lane, long request);

    static native void objects(long lane, long request);

    static native void query(long lane, long keys, long into, int capacity);

    static native void plugins(long lane, long into, int capacity);

    static native void describe(long lane, long plugin, long into, int capacity);
}
