package io.nixlkv.host.layout;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;

/** The sentence for a key that a layout does not take. */
final class Refusal {
    private static final int MOST_SHOWN = 160;

    private Refusal() {}

    static StorageException of(String layout, String keyText, String rule) {
        return new StorageException(
                Status.INVALID, "layout " + layout + " refuses the key " + quoted(keyText) + ": " + rule);
    }

    /** {@code text} in quotes, long texts cut, and nothing in it that could break a line or steer a terminal. */
    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        int end = Math.min(text.length(), MOST_SHOWN);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c) && isUnpaired(text, i)) {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        if (end < text.length()) {
            shown.append("…\" (").append(text.length()).append(" characters)");
            return shown.toString();
        }
        return shown.append('"').toString();
    }

    private static boolean isUnpaired(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}
