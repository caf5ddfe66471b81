package io.nixlkv.nativeio;

import org.bytedeco.javacpp.annotation.Namespace;
import org.bytedeco.javacpp.annotation.NoException;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The shim's functions for 3FS, documented in {@code src/main/native/usrbio_calls.h}. Only numbers cross. Callable only while
 * {@link NativeIo#isAvailable()}.
 */
@Platform(value = "linux-x86_64", include = "usrbio_calls.h", library = "jniNixlkv")
@Namespace("nixlkv::usrbio::calls")
@NoException
final class UsrbioCalls {
    private UsrbioCalls() {}

    static native long libraryOpen(long path, long into, int capacity);

    static native boolean mountOf(long library, long path, long into, int capacity);

    static native long laneNew(long library, long mount, int entries);

    static native int laneOpen(long lane, long into, int capacity);

    static native void laneClose(long lane);

    static native long laneKeep(long lane, long path);

    static native void laneDrop(long lane, long number);

    static native void files(long lane, long request);
}
