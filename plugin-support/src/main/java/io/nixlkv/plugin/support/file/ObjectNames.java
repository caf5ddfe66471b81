package io.nixlkv.plugin.support.file;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Decides whether an object name may become a path under a root, whatever the host has checked before. One thread at a time. */
final class ObjectNames {
    /** The folder under every root that holds what is not an object. */
    static final String RESERVED = ".nixlkv";

    private static final int MAX_PART_BYTES = 255;
    private static final int MAX_PATH_BYTES = 4095;
    private static final char REPLACEMENT = '\uFFFD';

    private final Charset fileNames;
    private final CharsetEncoder encoder;

    /** Names as the JVM writes them. */
    ObjectNames() {
        this(Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    ObjectNames(Charset fileNames) {
        this.fileNames = fileNames;
        encoder = fileNames.equals(StandardCharsets.UTF_8) ? null : fileNames.newEncoder();
    }

    /**
     * What is wrong with {@code name}, as the rest of a sentence.
     *
     * @param rootBytes UTF-8 bytes of the root's own path
     * @return {@code null} when it is right
     */
    String problem(String name, int rootBytes) {
        int length = name.length();
        if (length == 0) {
            return "is empty";
        }
        int bytes = 0;
        int partStart = 0;
        int partBytes = 0;
        boolean ascii = true;
        for (int at = 0; at <= length; at++) {
            char c = at == length ? '/' : name.charAt(at);
            if (c == '/') {
                String problem = partProblem(name, partStart, at, partBytes);
                if (problem != null) {
                    return problem;
                }
                bytes += partBytes + 1;
                partStart = at + 1;
                partBytes = 0;
            } else if (c == 0) {
                return "contains a NUL character";
            } else if (c < 0x80) {
                partBytes++;
            } else {
                ascii = false;
                if (c == REPLACEMENT) {
                    return "is not valid UTF-8";
                }
                if (Character.isSurrogate(c)) {
                    if (!Character.isHighSurrogate(c)
                            || at + 1 == length
                            || !Character.isLowSurrogate(name.charAt(at + 1))) {
                        return "is not valid Unicode";
                    }
                    at++;
                    partBytes += 4;
                } else {
                    partBytes += c < 0x800 ? 2 : 3;
                }
            }
        }
        if (bytes - 1 > FileSettings.MAX_NAME_BYTES) {
            return "has " + (bytes - 1) + " bytes, at most " + FileSettings.MAX_NAME_BYTES + " are possible";
        }
        if (rootBytes + bytes > MAX_PATH_BYTES) {
            return "makes a path of " + (rootBytes + bytes) + " bytes, the system allows " + MAX_PATH_BYTES
                    + "; use a shorter name or directory";
        }
        if (!ascii && encoder != null && !encoder.canEncode(name)) {
            return "cannot be written in this JVM's file name encoding " + fileNames + "; start it with LC_ALL=C.UTF-8";
        }
        return null;
    }

    private static String partProblem(String name, int from, int to, int bytes) {
        int length = to - from;
        if (length == 0) {
            return from == 0 ? "starts with \"/\"" : "has an empty part";
        }
        if (name.charAt(from) == '.') {
            if (length == 1 || length == 2 && name.charAt(from + 1) == '.') {
                return "has a part \".\" or \"..\"";
            }
            if (from == 0 && length == RESERVED.length() && name.startsWith(RESERVED)) {
                return "starts with the reserved part " + RESERVED;
            }
        }
        if (bytes > MAX_PART_BYTES) {
            return "has a part of " + bytes + " bytes, file names may have " + MAX_PART_BYTES
                    + "; use a shorter key or the long-name rule";
        }
        return null;
    }
}
