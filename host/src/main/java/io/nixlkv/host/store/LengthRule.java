package io.nixlkv.host.store;

/**
 * From an object's logical length to its stored one. LMCache pads direct transfers to {@code --l1-align-bytes}; the padded length
 * then <em>is</em> the length for store, load, query and accounting.
 *
 * @param unit padding unit in bytes; 1 for none
 */
public record LengthRule(int unit) {
    /** Stored as they are. */
    public static final LengthRule EXACT = new LengthRule(1);

    /** Whether stored lengths differ from logical ones. */
    public boolean pads() {
        return unit > 1;
    }

    /** Stored bytes of an object of {@code logical} bytes. */
    public long stored(long logical) {
        return (logical + unit - 1) / unit * unit;
    }
}
