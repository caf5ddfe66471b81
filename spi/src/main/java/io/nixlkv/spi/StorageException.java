package io.nixlkv.spi;

import java.util.Objects;

/** A failure of opening, pooling, listing or misuse. Failures of single items are results, not exceptions. */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    /**
     * @param status the kind of failure
     * @param sentence what failed, on which object and store, why, and what to do; never a secret
     * @param cause may be null
     */
    public StorageException(Status status, String sentence, Throwable cause) {
        super(sentence, cause);
        this.status = Objects.requireNonNull(status);
    }

    /** A failure without a cause. */
    public StorageException(Status status, String sentence) {
        this(status, sentence, null);
    }

    /** The kind of failure. */
    public Status status() {
        return status;
    }
}
