package io.nixlkv.host.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** BLAKE2b without key, salt and personalisation (RFC 7693). */
final class Blake2b {
    private static final int BLOCK_BYTES = 128;
    private static final int WORDS = 8;
    private static final int MAX_DIGEST_BYTES = 64;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long[] IV = {
        0x6a09e667f3bcc908L,
        0xbb67ae8584caa73bL,
        0x3c6ef372fe94f82bL,
        0xa54ff53a5f1d36f1L,
        0x510e527fade682d1L,
        0x9b05688c2b3e6c1fL,
        0x1f83d9abfb41bd6bL,
        0x5be0cd19137e2179L
    };

    /** Message words of each round; rounds 10 and 11 repeat 0 and 1. */
    private static final byte[][] SIGMA = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}
    };

    private final long[] state = new long[WORDS];
    private final long[] work = new long[2 * WORDS];
    private final long[] message = new long[2 * WORDS];

    private Blake2b() {}

    /** The digest of {@code digestBytes}, 1 to 64, of the bytes from {@code from} to {@code to - 1}. */
    static byte[] digest(byte[] data, int from, int to, int digestBytes) {
        long[] state = new Blake2b().run(data, from, to, digestBytes);
        byte[] digest = new byte[MAX_DIGEST_BYTES];
        for (int i = 0; i < WORDS; i++) {
            WORD.set(digest, i * Long.BYTES, state[i]);
        }
        return Arrays.copyOf(digest, digestBytes);
    }

    /** The digest of eight bytes, read as one big-endian number. */
    static long hash64(byte[] data, int from, int to) {
        return Long.reverseBytes(new Blake2b().run(data, from, to, Long.BYTES)[0]);
    }

    private long[] run(byte[] data, int from, int to, int digestBytes) {
        System.arraycopy(IV, 0, state, 0, WORDS);
        state[0] ^= 0x01010000L ^ digestBytes;
        int at = from;
        while (to - at > BLOCK_BYTES) {
            compress(data, at, at + BLOCK_BYTES - from, false);
            at += BLOCK_BYTES;
        }
        byte[] last = Arrays.copyOf(Arrays.copyOfRange(data, at, to), BLOCK_BYTES);
        compress(last, 0, to - from, true);
        return state;
    }

    private void compress(byte[] block, int at, int bytesSoFar, boolean last) {
        for (int i = 0; i < message.length; i++) {
            message[i] = (long) WORD.get(block, at + i * Long.BYTES);
        }
        System.arraycopy(state, 0, work, 0, WORDS);
        System.arraycopy(IV, 0, work, WORDS, WORDS);
        work[12] ^= bytesSoFar;
        if (last) {
            work[14] = ~work[14];
        }
        for (byte[] s : SIGMA) {
            mix(0, 4, 8, 12, message[s[0]], message[s[1]]);
            mix(1, 5, 9, 13, message[s[2]], message[s[3]]);
            mix(2, 6, 10, 14, message[s[4]], message[s[5]]);
            mix(3, 7, 11, 15, message[s[6]], message[s[7]]);
            mix(0, 5, 10, 15, message[s[8]], message[s[9]]);
            mix(1, 6, 11, 12, message[s[10]], message[s[11]]);
            mix(2, 7, 8, 13, message[s[12]], message[s[13]]);
            mix(3, 4, 9, 14, message[s[14]], message[s[15]]);
        }
        for (int i = 0; i < WORDS; i++) {
            state[i] ^= work[i] ^ work[i + WORDS];
        }
    }

    private void mix(int a, int b, int c, int d, long x, long y) {
        work[a] += work[b] + x;
        work[d] = Long.rotateRight(work[d] ^ work[a], 32);
        work[c] += work[d];
        work[b] = Long.rotateRight(work[b] ^ work[c], 24);
        work[a] += work[b] + y;
        work[d] = Long.rotateRight(work[d] ^ work[a], 16);
        work[c] += work[d];
        work[b] = Long.rotateRight(work[b] ^ work[c], 63);
    }
}
