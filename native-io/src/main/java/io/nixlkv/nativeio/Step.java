package io.nixlkv.nativeio;

/** Where an item failed. The order is that of the native code, from 1. */
public enum Step {
    NAME,
    LENGTH,
    SLICE,
    ROOT,
    POOL,
    SLOT,
    TOKEN,
    LOOK,
    OPEN,
    MOVE,
    SYNC,
    PUBLISH,
    REMOVE,
    /** Something that is no object stands under the name. */
    FOREIGN,
    /** A pool's file ended too early. */
    CUT_SHORT,
    /** The deadline passed before the item began. */
    BEFORE,
    /** The deadline passed, or the backend was closed, between two pieces. */
    DURING,
    /** The backend was closed before the item began. */
    CLOSED;

    private static final Step[] ALL = values();

    static Step of(int number) {
        return ALL[number - 1];
    }
}
