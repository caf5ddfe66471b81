package io.nixlkv.host.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing UTF-8 text, used again for every name. Not thread-safe. */
public final class NameBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[256];
    private int length;

    /** Forgets the content and keeps the memory. */
    public NameBuffer clear() {
        length = 0;
        return this;
    }

    /** Bytes in use, from index 0 of {@link #array()}. */
    public int length() {
        return length;
    }

    /** The memory itself, valid until the next append; only the first {@link #length()} bytes mean anything. */
    public byte[] array() {
        return bytes;
    }

    /** A copy of the content. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** Appends {@code text}, each character as one byte. The caller knows that it is ASCII. */
    public NameBuffer ascii(String text) {
        return ascii(text, 0, text.length());
    }

    /** Appends the characters of {@code text} from {@code from} to {@code to - 1}, each as one byte. */
    public NameBuffer ascii(String text, int from, int to) {
        ensure(to - from);
        for (int i = from; i < to; i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
        return this;
    }

    /** Appends one ASCII character. */
    public NameBuffer ascii(char character) {
        ensure(1);
        bytes[length++] = (byte) character;
        return this;
    }

    /** Appends {@code text} as UTF-8. @throws IllegalArgumentException if half of a surrogate pair is missing */
    public NameBuffer utf8(String text) {
        return utf8(text, 0, text.length());
    }

    /**
     * Appends the characters of {@code text} from {@code from} to {@code to - 1} as UTF-8.
     *
     * @throws IllegalArgumentException if half of a surrogate pair is missing
     */
    public NameBuffer utf8(String text, int from, int to) {
        ensure(3 * (to - from));
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[length++] = (byte) c;
            } else if (c < 0x800) {
                bytes[length++] = (byte) (0xc0 | c >> 6);
                bytes[length++] = (byte) (0x80 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                bytes[length++] = (byte) (0xe0 | c >> 12);
                bytes[length++] = (byte) (0x80 | c >> 6 & 0x3f);
                bytes[length++] = (byte) (0x80 | c & 0x3f);
            } else {
                if (!Character.isHighSurrogate(c) || i + 1 == to || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new IllegalArgumentException("character " + (i + 1) + " is half of a surrogate pair");
                }
                int point = Character.toCodePoint(c, text.charAt(++i));
                bytes[length++] = (byte) (0xf0 | point >> 18);
                bytes[length++] = (byte) (0x80 | point >> 12 & 0x3f);
                bytes[length++] = (byte) (0x80 | point >> 6 & 0x3f);
                bytes[length++] = (byte) (0x80 | point & 0x3f);
            }
        }
        return this;
    }

    /** Appends {@code number}, not negative, in lower-case hex, zeros in front up to {@code minDigits} digits. */
    public NameBuffer hex(long number, int minDigits) {
        int digits = Math.max(minDigits, (Long.SIZE - Long.numberOfLeadingZeros(number | 1) + 3) / 4);
        ensure(digits);
        for (int digit = digits - 1; digit >= 0; digit--) {
            bytes[length++] = digit >= 16 ? (byte) '0' : HEX[(int) (number >>> 4 * digit & 0xf)];
        }
        return this;
    }

    /** Appends the first {@code count} of {@code octets} in lower-case hex. */
    public NameBuffer hex(byte[] octets, int count) {
        for (int i = 0; i < count; i++) {
            hex(octets[i] & 0xff, 2);
        }
        return this;
    }

    /** Appends {@code number}, not negative, in decimal. */
    public NameBuffer decimal(int number) {
        return ascii(Integer.toString(number));
    }

    /** Appends the bytes of {@code source} from {@code from} to {@code to - 1}, which the caller knows to be UTF-8. */
    public NameBuffer bytes(byte[] source, int from, int to) {
        ensure(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
        return this;
    }

    /** The content as text. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private void ensure(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
        }
    }
}
