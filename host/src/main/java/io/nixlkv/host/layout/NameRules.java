package io.nixlkv.host.layout;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What every physical name has to keep, checked on its UTF-8 bytes. */
final class NameRules {
    /** Longest part of a name on the usual file systems, bytes. */
    static final int MAX_PART_BYTES = 255;

    private static final byte[] RESERVED = ".nixlkv".getBytes(StandardCharsets.US_ASCII);

    private NameRules() {}

    /** The rule that the name breaks and what to do, as the rest of a sentence that starts with "its name"; empty if none. */
    static Optional<String> broken(NameBuffer name) {
        if (name.length() == 0) {
            return Optional.of("is empty; give it at least one character");
        }
        byte[] bytes = name.array();
        int start = 0;
        for (int i = 0; i <= name.length(); i++) {
            if (i == name.length() || bytes[i] == '/') {
                Optional<String> broken = part(bytes, start, i, name.length());
                if (broken.isPresent()) {
                    return broken;
                }
                start = i + 1;
            } else if (isControl(bytes, i, name.length())) {
                return Optional.of("has a control character at byte " + (i + 1) + "; take it out");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> part(byte[] bytes, int from, int to, int end) {
        int length = to - from;
        if (length == 0) {
            return Optional.of(
                    from == 0
                            ? "starts with \"/\"; names are relative to the store"
                            : to == end
                                    ? "ends with \"/\"; an object's name must not"
                                    : "has an empty part (\"//\"); write one \"/\"");
        }
        if (bytes[from] == '.' && (length == 1 || length == 2 && bytes[from + 1] == '.')) {
            return Optional.of("has the part \"" + (length == 1 ? "." : "..")
                    + "\", which could leave the store; use names without it");
        }
        if (length > MAX_PART_BYTES) {
            return Optional.of("has a part of " + length + " bytes, and at most " + MAX_PART_BYTES
                    + " are possible; shorten the key's longest text");
        }
        if (from == 0 && startsWith(bytes, length, RESERVED)) {
            return Optional.of("starts with \".nixlkv\", which the store keeps for itself; use another first part");
        }
        return Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, int length, byte[] word) {
        if (length != word.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** C0, DEL and, in two bytes, C1: all that could move a terminal's cursor or break a line of a listing. */
    private static boolean isControl(byte[] bytes, int at, int length) {
        int unit = bytes[at] & 0xff;
        return unit < 0x20 || unit == 0x7f || unit == 0xc2 && at + 1 < length && (bytes[at + 1] & 0xff) < 0xa0;
    }
}
