package io.nixlkv.spi;

/** How one item ended. The numbers are part of the packed form ({@link PackedBatch}) and never change meaning. */
public enum Status {
    /** Done. READ: the slice is trustworthy with this status only. */
    DONE(1),
    /** CREATE found an object of equal length and left it alone; the caller may rely on it. */
    ALREADY_PRESENT(2),
    /** There is no such object. */
    MISSING(3),
    /** The stored length differs from the item's. */
    WRONG_SIZE(4),
    /** The store is full, or a quota is. */
    NO_SPACE(5),
    /** Permission or credentials were refused. */
    DENIED(6),
    /** The request itself is wrong: a name, a length, an alignment. */
    INVALID(7),
    /** The engine does not do this. */
    UNSUPPORTED(8),
    /** The store asked to slow down, longer than the deadline allows. */
    THROTTLED(9),
    /** The store cannot be reached, or the backend is closed. */
    UNAVAILABLE(10),
    /** Any other failure; the sentence tells. */
    FAILED(11),
    /** The deadline passed. Of a write or delete the outcome is unknown: it may yet appear, whole. */
    TIMED_OUT(12);

    private static final Status[] BY_CODE = new Status[13];

    static {
        for (Status status : values()) {
            BY_CODE[status.code] = status;
        }
    }

    private final int code;

    Status(int code) {
        this.code = code;
    }

    /** The number in a result word, 1 to 12. */
    public int code() {
        return code;
    }

    /**
     * The status of a number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Status of(int code) {
        if (code < 1 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no status has the code " + code);
        }
        return BY_CODE[code];
    }

    /** Whether a write that ended so left the wanted object in the store. */
    public boolean stored() {
        return this == DONE || this == ALREADY_PRESENT;
    }
}
