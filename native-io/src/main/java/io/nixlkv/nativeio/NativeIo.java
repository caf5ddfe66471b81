package io.nixlkv.nativeio;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether the native library is there, found out once in a process, and the little that needs no backend. Thread-safe.
 *
 * <p>It is switched off by the environment variable {@code NIXLKV_NATIVE=off} or the system property {@code nixlkv.native=off}.
 */
public final class NativeIo {
    /** Environment variable that switches the library off. */
    public static final String VARIABLE = "NIXLKV_NATIVE";

    /** System property that switches the library off; wins over the variable. */
    public static final String PROPERTY = "nixlkv.native";

    private static final int TEXT_BYTES = 256;

    private NativeIo() {}

    /** The library as it was found; loaded when it is first asked for. */
    private static final class Holder {
        private static final Optional<String> PROBLEM = find();

        private static Optional<String> find() {
            String wanted = System.getProperty(PROPERTY, System.getenv().getOrDefault(VARIABLE, ""));
            if (wanted.toLowerCase(Locale.ROOT).equals("off")) {
                return Optional.of("native code is switched off by " + VARIABLE + " or -D" + PROPERTY);
            }
            return NativeLibrary.load();
        }
    }

    /** Whether native code can be called. */
    public static boolean isAvailable() {
        return Holder.PROBLEM.isEmpty();
    }

    /** Why not, as a sentence a person can act on; empty when it is available. */
    public static Optional<String> unavailableReason() {
        return Holder.PROBLEM;
    }

    /** Version of the packed request that the library understands. The caller compares it with its own. */
    public static int packedAbi() {
        require();
        return NativeCalls.packedAbi();
    }

    /** The C library's words for {@code errno}. */
    public static String errorText(int errno) {
        require();
        ByteBuffer text = DirectBuffers.allocate(TEXT_BYTES);
        NativeCalls.errorText(errno, DirectBuffers.address(text), TEXT_BYTES);
        int end = 0;
        while (text.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end];
        text.get(0, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Soft limit of open files; -1 for none. */
    public static long openFileLimit() {
        require();
        return NativeCalls.limitOf(0);
    }

    /** Soft limit of locked memory, bytes; -1 for none. */
    public static long lockedMemoryLimit() {
        require();
        return NativeCalls.limitOf(1);
    }

    /**
     * Address of the first byte of a direct buffer, whatever its position.
     *
     * @throws IllegalArgumentException if it is not direct
     */
    public static long address(ByteBuffer buffer) {
        require();
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("not a direct buffer: " + buffer);
        }
        return DirectBuffers.address(buffer);
    }

    static void require() {
        if (!isAvailable()) {
            throw new IllegalStateException(Holder.PROBLEM.get());
        }
    }
}
