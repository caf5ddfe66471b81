package io.nixlkv.api;

import java.util.Locale;
import java.util.Objects;

/**
 * LMCache's object key ({@code lmcache/v1/distributed/api.py}, {@code ObjectKey}): the identity of one chunk of one rank's KV
 * cache. Its text is LMCache's wire key: {@code model@rank@group@hash[@salt]}, rank as at least 8 hex digits, group in hex.
 *
 * @param model model name without {@code @}, not empty
 * @param kvRank packed rank, not negative; normally 32 bits: world size, global rank, local world size, local rank
 * @param objectGroup not negative
 * @param chunkHash lower-case hex, an even number of digits, at least two
 * @param salt tenant's salt, empty for none; at most 128 characters, none of {@code @ / \} or NUL
 */
public record ObjectKey(String model, long kvRank, long objectGroup, String chunkHash, String salt) implements KvKey {

    private static final int MAX_SALT_CHARS = 128;

    /** @throws IllegalArgumentException if a part is not as described */
    public ObjectKey {
        Objects.requireNonNull(model);
        Objects.requireNonNull(chunkHash);
        Objects.requireNonNull(salt);
        if (model.isEmpty() || model.indexOf('@') >= 0 || model.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("model must be a name without @ and NUL: \"" + model + "\"");
        }
        if (kvRank < 0 || objectGroup < 0) {
            throw new IllegalArgumentException(
                    "rank and object group must not be negative: " + kvRank + ", " + objectGroup);
        }
        if (!isHex(chunkHash)) {
            throw new IllegalArgumentException(
                    "chunk hash must be an even number of lower-case hex digits: \"" + chunkHash + "\"");
        }
        if (salt.length() > MAX_SALT_CHARS || salt.chars().anyMatch(c -> c == '@' || c == '/' || c == '\\' || c == 0)) {
            throw new IllegalArgumentException("salt must have at most " + MAX_SALT_CHARS
                    + " characters and none of @ / \\ NUL: \"" + salt + "\"");
        }
    }

    /** A key without a salt. */
    public ObjectKey(String model, long kvRank, long objectGroup, String chunkHash) {
        this(model, kvRank, objectGroup, chunkHash, "");
    }

    /**
     * Reads the wire text. Leniently: a rank may have a {@code 0x} prefix and fewer digits, a salt may be empty.
     *
     * @throws IllegalArgumentException saying which part is wrong
     */
    public static ObjectKey parse(String text) {
        String[] parts = text.split("@", -1);
        if (parts.length < 4 || parts.length > 5) {
            throw new IllegalArgumentException("an object key is model@rank@group@hash[@salt], not \"" + text
                    + "\" with " + parts.length + " parts");
        }
        return new ObjectKey(
                parts[0],
                hex("rank", parts[1].startsWith("0x") ? parts[1].substring(2) : parts[1], text),
                hex("object group", parts[2], text),
                parts[3].toLowerCase(Locale.ROOT),
                parts.length == 5 ? parts[4] : "");
    }

    @Override
    public String text() {
        String rank = Long.toHexString(kvRank);
        StringBuilder text = new StringBuilder(model.length() + chunkHash.length() + salt.length() + 24);
        text.append(model).append('@');
        for (int digits = rank.length(); digits < 8; digits++) {
            text.append('0');
        }
        text.append(rank)
                .append('@')
                .append(Long.toHexString(objectGroup))
                .append('@')
                .append(chunkHash);
        if (!salt.isEmpty()) {
            text.append('@').append(salt);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return text();
    }

    private static long hex(String part, String digits, String text) {
        if (!digits.matches("[0-9a-fA-F]{1,15}")) {
            throw new IllegalArgumentException(part + " must be hex digits in \"" + text + "\": \"" + digits + "\"");
        }
        return Long.parseLong(digits, 16);
    }

    private static boolean isHex(String text) {
        if (text.isEmpty() || text.length() % 2 != 0) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
