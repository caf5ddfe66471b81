package io.nixlkv.nativeio;

import io.nixlkv.nativeio.CudaException.Kind;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** CUDA's driver library, loaded when it is first needed and for the life of the process. Thread-safe. */
public final class CudaLibrary {
    /** File name of the library. */
    public static final String NAME = "libcuda.so.1";

    /** Environment variable that names the library's file; without it the loader looks for {@link #NAME}. */
    public static final String VARIABLE = "NIXLKV_CUDA_LIBRARY";

    /** System property that names the library's file; wins over the variable. */
    public static final String PROPERTY = "nixlkv.cuda.library";

    private static final int WORDS = 4096;
    private static final int NUMBERS = 32;
    private static final int OUT_OF_MEMORY = 2;

    private final long handle;
    private final String path;

    private CudaLibrary(long handle, String path) {
        this.handle = handle;
        this.path = path;
    }

    /** Each library is opened once; one that cannot be used may come later. */
    private static final class Holder {
        private static final ConcurrentMap<String, CudaLibrary> OPEN = new ConcurrentHashMap<>();
    }

    /**
     * Loads and initialises it unless it is.
     *
     * @throws CudaException with the loader's words, or with CUDA's error
     */
    public static CudaLibrary open() {
        if (!NativeIo.isAvailable()) {
            throw new CudaException(
                    Kind.UNUSABLE,
                    "memory of a GPU needs the native library: "
                            + NativeIo.unavailableReason().orElse(""));
        }
        String wanted = System.getProperty(PROPERTY, "");
        if (wanted.isBlank()) {
            wanted = System.getenv().getOrDefault(VARIABLE, "");
        }
        return Holder.OPEN.computeIfAbsent(wanted.isBlank() ? NAME : wanted, CudaLibrary::load);
    }

    private static CudaLibrary load(String path) {
        if (CudaCalls.numbersSize() != NUMBERS) {
            throw new CudaException(
                    Kind.UNUSABLE, "the native library is of another build than these classes; build both again");
        }
        NativeText words = NativeText.room(WORDS);
        try (NativeText name = NativeText.of(path)) {
            long handle = CudaCalls.libraryOpen(name.address(), words.address(), words.capacity());
            if (handle == 0) {
                throw new CudaException(
                        Kind.UNUSABLE,
                        "memory of a GPU needs CUDA's driver library " + NAME
                                + ", and it cannot be loaded: " + words.read()
                                + "; install NVIDIA's driver, or name the file in "
                                + VARIABLE);
            }
            CudaLibrary library = new CudaLibrary(handle, path);
            library.check(
                    Kind.UNUSABLE,
                    CudaCalls.init(handle),
                    "cuInit",
                    "; check with nvidia-smi that the driver runs and sees a GPU");
            return library;
        }
    }

    long handle() {
        return handle;
    }

    /** What was loaded, for people. */
    public String path() {
        return path;
    }

    /** Number of GPUs that this process sees. */
    public int devices() {
        Numbers numbers = new Numbers();
        check(Kind.UNUSABLE, CudaCalls.deviceCount(handle, numbers.address()), "cuDeviceGetCount", "");
        return (int) numbers.get(0);
    }

    /**
     * A GPU, owned by the caller.
     *
     * @param number as CUDA numbers the GPUs of this process
     * @throws CudaException if there is none of that number, or it cannot be used
     */
    public CudaDevice device(int number) {
        requireDevice(number);
        Numbers numbers = new Numbers();
        check(
                Kind.UNUSABLE,
                CudaCalls.deviceOpen(handle, number, numbers.address()),
                "cuDevicePrimaryCtxRetain of GPU " + number,
                "; check with nvidia-smi that the GPU is healthy and not in exclusive use");
        return new CudaDevice(this, number, numbers.get(0));
    }

    void requireDevice(int number) {
        int count = devices();
        if (number < 0 || number >= count) {
            throw new CudaException(
                    Kind.UNUSABLE,
                    "GPU " + number + " does not exist: CUDA sees " + count
                            + (count == 1 ? " GPU" : " GPUs") + " here, numbered from 0"
                            + "; give another number, or change CUDA_VISIBLE_DEVICES");
        }
    }

    /** @throws CudaException of {@code kind}, or OUT_OF_MEMORY, unless {@code code} is a success */
    void check(Kind kind, int code, String call, String remedy) {
        if (code != 0) {
            NativeText name = NativeText.room(WORDS);
            CudaCalls.errorName(handle, code, name.address(), name.capacity());
            throw new CudaException(
                    code == OUT_OF_MEMORY ? Kind.OUT_OF_MEMORY : kind,
                    "CUDA's " + call + " answered " + name.read() + " (" + code + ")" + remedy);
        }
    }

    /** Room for what a call answers beside its code. */
    static final class Numbers {
        private final ByteBuffer buffer = DirectBuffers.allocate(NUMBERS);

        long address() {
            return DirectBuffers.address(buffer);
        }

        long get(int index) {
            return buffer.getLong(index * Long.BYTES);
        }
    }
}
