package io.nixlkv.plugin.support.object;

import java.nio.charset.StandardCharsets;

/**
 * Decides which names may become keys. Every accepted name is its own key on every store: none has parts that a server or a URL
 * library normalises, and none has characters that a listing in XML cannot carry.
 *
 * @param prefix put before each name, without change
 * @param maxKeyBytes UTF-8 bytes of the longest key, prefix included
 */
public record KeyRules(String prefix, int maxKeyBytes) {
    /** Names that start so belong to self-tests and are never listed. */
    public static final String RESERVED = ".nixlkv-";

    private static final char REPLACEMENT = '\uFFFD';

    /** Bytes left for a name. */
    public int maxNameBytes() {
        return maxKeyBytes - prefix.getBytes(StandardCharsets.UTF_8).length;
    }

    /** What is wrong with {@code name}, as the rest of a sentence; {@code null} when it is right. */
    public String problem(String name) {
        if (name.isEmpty()) {
            return "is empty";
        }
        if (name.startsWith(RESERVED)) {
            return "starts with the reserved text " + RESERVED;
        }
        int start = 0;
        for (int at = 0; at <= name.length(); at++) {
            char c = at == name.length() ? '/' : name.charAt(at);
            if (c == '/') {
                String part = name.substring(start, at);
                if (part.isEmpty()) {
                    return "has an empty part: no \"/\" at the start, at the end or twice";
                }
                if (part.equals(".") || part.equals("..")) {
                    return "has a part \"" + part + "\"";
                }
                start = at + 1;
            } else if (c < 0x20 || c == 0x7f) {
                return "contains a control character";
            } else if (c == '\\') {
                return "contains a backslash, which some stores take for a slash";
            } else if (c == REPLACEMENT || c >= '\uFFFE') {
                return "is not valid UTF-8";
            } else if (Character.isHighSurrogate(c)) {
                at++;
                if (at == name.length() || !Character.isLowSurrogate(name.charAt(at))) {
                    return "is not valid Unicode";
                }
            } else if (Character.isLowSurrogate(c)) {
                return "is not valid Unicode";
            }
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        return bytes > maxNameBytes()
                ? "has " + bytes + " bytes, the store allows " + maxNameBytes() + " after the prefix"
                : null;
    }
}
