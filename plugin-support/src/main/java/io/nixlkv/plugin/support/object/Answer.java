package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Status;

/**
 * How one request to an object store ended.
 *
 * @param status the item's status
 * @param storedLength bytes in the store; -1 where it did not tell
 * @param code HTTP status, 0 if there was no answer
 * @param sentence for people what failed, why and what to change; {@code null} if there is nothing to explain
 */
public record Answer(Status status, long storedLength, int code, String sentence) {
    /** A request that did what was asked. */
    public static Answer done(long storedLength) {
        return new Answer(Status.DONE, storedLength, 0, null);
    }

    /** There is no such object. */
    public static Answer missing() {
        return new Answer(Status.MISSING, -1, 0, null);
    }

    /** The stored object has this length. One of 0 bytes counts as absent: no writer of ours makes it. */
    public static Answer found(long storedLength) {
        return storedLength == 0 ? missing() : done(storedLength);
    }

    /** The stored object has another length than the item, which is never 0. */
    public static Answer wrongSize(long storedLength) {
        return storedLength == 0 ? missing() : new Answer(Status.WRONG_SIZE, storedLength, 0, null);
    }

    /** What a refused CREATE found; MISSING if that counts as absent. */
    public static Answer existing(long storedLength, long length) {
        return storedLength == length
                ? new Answer(Status.ALREADY_PRESENT, storedLength, 0, null)
                : wrongSize(storedLength);
    }

    /** A failure. */
    public static Answer failed(Status status, int code, String sentence) {
        return new Answer(status, -1, code, sentence);
    }
}
