package io.nixlkv.api;

import io.nixlkv.spi.TransferBatch.Mode;
import java.time.Duration;

/**
 * How one call behaves; {@code null} parts mean the store's own setting.
 *
 * @param atomicity whether a store call is all-or-nothing; ignored by other calls
 * @param mode whether a store call may replace objects; ignored by other calls
 * @param deadline time the whole call may take, more than zero
 */
public record CallOptions(Atomicity atomicity, Mode mode, Duration deadline) {

    /** What a failed object means for the others of its batch. */
    public enum Atomicity {
        /** Nothing. */
        PER_OBJECT,
        /** None of the batch becomes visible. */
        ALL_OR_NOTHING
    }

    /** The store's own settings. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, null);

    public CallOptions {
        if (deadline != null && (deadline.isNegative() || deadline.isZero())) {
            throw new IllegalArgumentException("a deadline must be more than zero: " + deadline);
        }
    }

    /** These options with another atomicity. */
    public CallOptions with(Atomicity other) {
        return new CallOptions(other, mode, deadline);
    }

    /** These options with another write mode. */
    public CallOptions with(Mode other) {
        return new CallOptions(atomicity, other, deadline);
    }

    /** These options with another deadline. */
    public CallOptions with(Duration other) {
        return new CallOptions(atomicity, mode, other);
    }
}
