package io.nixlkv.nativeio;

/** A native call was refused by the system. The message has the system's words. */
public final class NativeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int errno;

    NativeException(String doing, int errno) {
        super(doing + ": " + NativeIo.errorText(errno));
        this.errno = errno;
    }

    /** The system's number. */
    public int errno() {
        return errno;
    }

    /** Passes {@code answer} on unless it is a negative errno. */
    static long check(long answer, String doing) {
        // addresses and handles are positive; no errno is above 4095
        if (answer < 0 && answer > -4096) {
            throw new NativeException(doing, (int) -answer);
        }
        return answer;
    }
}
