package io.nixlkv.spi.tck;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a test object, known from a seed: the same in every JVM.
 *
 * @param seed tells contents of equal length apart
 * @param length bytes
 */
record Content(long seed, int length) {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    /** Writes the bytes to the start of {@code target}; its position does not move. */
    void put(ByteBuffer target) {
        ByteBuffer out = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int words = length & ~7;
        long state = seed;
        for (int at = 0; at < words; at += 8) {
            out.putLong(at, mix(state += STEP));
        }
        long last = mix(state + STEP);
        for (int at = words; at < length; at++) {
            out.put(at, (byte) (last >>> (at - words) * 8));
        }
    }

    /** The first byte of {@code found} that is not this content, its length if {@code found} is shorter; -1 if all are equal. */
    int mismatch(ByteBuffer found) {
        ByteBuffer in = found.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int words = Math.min(length, in.limit()) & ~7;
        long state = seed;
        for (int at = 0; at < words; at += 8) {
            long wrong = in.getLong(at) ^ mix(state += STEP);
            if (wrong != 0) {
                return at + Long.numberOfTrailingZeros(wrong) / 8;
            }
        }
        long last = mix(state + STEP);
        for (int at = words; at < length; at++) {
            if (at >= in.limit() || in.get(at) != (byte) (last >>> (at - words) * 8)) {
                return at;
            }
        }
        return in.limit() > length ? length : -1;
    }

    /** Whether {@code found} is exactly this content. */
    boolean is(ByteBuffer found) {
        return mismatch(found) < 0;
    }

    /** A well-mixed number; the finaliser of SplitMix64. */
    static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
