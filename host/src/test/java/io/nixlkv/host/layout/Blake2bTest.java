package io.nixlkv.host.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Blake2bTest {
    /** The RFC's value covers keyed digests as well; this one, without them, is Python's {@code hashlib.blake2b}. */
    private static final String SELF_TEST_UNKEYED = "681f345ad53c6360214ea500fd259edddbca775f605fad81b9b189d6d88e15c6";

    private static String hex(byte[] data, int bytes) {
        return HexFormat.of().formatHex(Blake2b.digest(data, 0, data.length, bytes));
    }

    /** RFC 7693, appendix A. */
    @Test
    void abc() {
        assertEquals(
                "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
                hex("abc".getBytes(StandardCharsets.US_ASCII), 64));
    }

    /** RFC 7693, appendix E: digests of four lengths over inputs of six, hashed into one. */
    @Test
    void selfTest() {
        byte[] all = new byte[4 * 6 * 64];
        int length = 0;
        for (int digest : new int[] {20, 32, 48, 64}) {
            for (int input : new int[] {0, 3, 128, 129, 255, 1024}) {
                byte[] part = Blake2b.digest(sequence(input), 0, input, digest);
                System.arraycopy(part, 0, all, length, digest);
                length += digest;
            }
        }
        byte[] unkeyed = java.util.Arrays.copyOf(all, length);
        assertEquals(SELF_TEST_UNKEYED, hex(unkeyed, 32));
    }

    /** The RFC's sequence, seeded with the length. */
    private static byte[] sequence(int length) {
        byte[] out = new byte[length];
        int a = 0xDEAD4BAD * length;
        int b = 1;
        for (int i = 0; i < length; i++) {
            int sum = a + b;
            a = b;
            b = sum;
            out[i] = (byte) (sum >>> 24);
        }
        return out;
    }

    @Test
    void aPartOfAnArray() {
        byte[] data = "xxabcyy".getBytes(StandardCharsets.US_ASCII);
        assertEquals(
                hex("abc".getBytes(StandardCharsets.US_ASCII), 20),
                HexFormat.of().formatHex(Blake2b.digest(data, 2, 5, 20)));
        assertEquals(0xe4a6a0577479b2b4L, Blake2b.hash64(new byte[0], 0, 0));
        assertEquals(0x680296a36cf66590L, HicacheLayout.hash("page-123"));
    }
}
