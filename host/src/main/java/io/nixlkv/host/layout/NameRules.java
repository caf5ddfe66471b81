package io.nixlkv.host.layout;

import io.nixlkv.api.KvKey;
import io.nixlkv.api.RawKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What every physical name has to keep, checked on its UTF-8 bytes, and the long-name rule: where it is on, a part of more than 255
 * bytes becomes {@code long-sha256-} and the hex SHA-256 of the part, so that different parts stay different.
 */
final class NameRules {
    /** Longest part of a name on the usual file systems, bytes. */
    static final int MAX_PART_BYTES = 255;

    private static final byte[] RESERVED = ".nixlkv".getBytes(StandardCharsets.US_ASCII);

    private static final String LONG_START = "long-sha256-";
    private static final Pattern LONG =
            Pattern.compile("(?:.*/)?" + LONG_START + "[0-9a-f]{64}(?:/.*)?", Pattern.DOTALL);

    private final boolean shortenLong;

    private NameRules(boolean shortenLong) {
        this.shortenLong = shortenLong;
    }

    /** Refuses names with long parts. */
    static NameRules refusingLong() {
        return new NameRules(false);
    }

    /** Shortens names with long parts. */
    static NameRules shorteningLong() {
        return new NameRules(true);
    }

    /** Shortens {@code name} where that is the rule, and then checks it. @throws io.nixlkv.spi.StorageException INVALID if a rule is broken */
    void enforce(String layout, KvKey key, NameBuffer name) {
        if (shortenLong) {
            if (!(key instanceof RawKey) && isShortened(name.toString())) {
                throw Refusal.of(
                        layout, key.text(), "its name has a part like those that stand for long ones; use another");
            }
            shorten(name);
        }
        broken(name).ifPresent(rule -> {
            throw Refusal.of(layout, key.text(), "its name " + rule);
        });
    }

    /** Whether the long-name rule is on and made this name, which therefore does not tell its key. */
    boolean isShortened(String name) {
        return shortenLong && name.contains(LONG_START) && LONG.matcher(name).matches();
    }

    private static void shorten(NameBuffer name) {
        if (name.length() <= MAX_PART_BYTES) {
            return;
        }
        byte[] whole = name.toByteArray();
        name.clear();
        int start = 0;
        for (int i = 0; i <= whole.length; i++) {
            if (i < whole.length && whole[i] != '/') {
                continue;
            }
            if (i - start > MAX_PART_BYTES) {
                name.ascii(LONG_START).hex(Sha256.of(whole, start, i), Sha256.BYTES);
            } else {
                name.bytes(whole, start, i);
            }
            if (i < whole.length) {
                name.ascii('/');
            }
            start = i + 1;
        }
    }

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
                    + " are possible; shorten the key's longest text or set long_names = \"hash\"");
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
