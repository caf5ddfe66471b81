package io.nixlkv.api;

import io.nixlkv.spi.Status;
import java.util.Objects;

/**
 * How one object of a batch ended.
 *
 * @param status the outcome; a loaded slice is trustworthy with DONE only
 * @param storedLength bytes in the store; -1 where it does not tell
 * @param reason what failed, on which object and store, why, and what to do; empty when there is nothing to explain
 */
public record ObjectResult(Status status, long storedLength, String reason) {
    public ObjectResult {
        Objects.requireNonNull(status);
        Objects.requireNonNull(reason);
    }

    /** Whether the wanted thing holds: stored or already there, loaded, found, deleted. */
    public boolean ok() {
        return status.stored();
    }
}
