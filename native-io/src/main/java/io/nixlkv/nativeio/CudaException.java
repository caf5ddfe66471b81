package io.nixlkv.nativeio;

/** Memory of a GPU cannot be used, and the message says why and, for what can be mended, how. */
public final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What it is about. */
    public enum Kind {
        /** The driver or the GPU is missing or does not work. */
        UNUSABLE,
        /** The GPU does not have that much free memory. */
        OUT_OF_MEMORY,
        /** An address is not what its owner says. */
        WRONG_MEMORY,
        /** A call failed that should not. */
        FAILED
    }

    private final Kind kind;

    CudaException(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /** What it is about. */
    public Kind kind() {
        return kind;
    }
}
