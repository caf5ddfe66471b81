package io.nixlkv.api.hicache;

/** Types of the elements of a tensor, with their sizes in bytes. */
public enum ElementType {
    BOOL(1),
    INT8(1),
    UINT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    FLOAT8(1),
    FLOAT16(2),
    BFLOAT16(2),
    FLOAT32(4),
    FLOAT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
