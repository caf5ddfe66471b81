package io.nixlkv.plugin.obj;

import io.nixlkv.spi.TransferBatch.Mode;

/**
 * On what a write depends; headers of the request.
 *
 * @param ifNoneMatch {@code null} if it is not sent
 * @param ifMatch {@code null} if it is not sent
 */
record Condition(String ifNoneMatch, String ifMatch) {
    /** There is no object. */
    static final Condition ABSENT = new Condition("*", null);

    private static final Condition NONE = new Condition(null, null);

    /** What a mode asks for. */
    static Condition of(Mode mode) {
        return mode == Mode.CREATE ? ABSENT : NONE;
    }

    /** The object is the one with this tag. */
    static Condition unchanged(String tag) {
        return new Condition(null, tag);
    }

    /** Whether the store may refuse the write for what it holds. */
    boolean refusable() {
        return ifNoneMatch != null || ifMatch != null;
    }
}
