package io.nixlkv.nativeio;

import org.bytedeco.javacpp.annotation.Namespace;
import org.bytedeco.javacpp.annotation.NoException;
import org.bytedeco.javacpp.annotation.Platform;

/**
 * The shim's functions for CUDA's driver, documented in {@code src/main/native/cuda_calls.h}. Only numbers cross. Callable only while
 * {@link NativeIo#isAvailable()}.
 */
@Platform(value = "linux-x86_64", include = "cuda_calls.h", library = "jniNixlkv")
@Namespace("nixlkv::cuda::calls")
@NoException
final class CudaCalls {
    private CudaCalls() {}

    static native int numbersSize();

    static native long libraryOpen(long path, long into, int capacity);

    static native int init(long library);

    static native void errorName(long library, int code, long into, int capacity);

    static native int deviceCount(long library, long numbers);

    static native int deviceOpen(long library, int number, long numbers);

    static native void deviceClose(long device);

    static native int allocate(long device, long bytes, long numbers);

    static native int release(long device, long address);

    static native int information(long device, long numbers);

    static native int describe(long device, long address, long numbers);

    static native int copyIn(long device, long to, long from, long bytes);

    static native int copyOut(long device, long to, long from, long bytes);

    static native int copyWithin(long device, long to, long from, long bytes);

    static native int clear(long device, long address, long bytes);
}
