package io.nixlkv.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * LMCache's in-process key ({@code lmcache/utils.py}, {@code CacheEngineKey}): the identity of one chunk of one worker's KV cache.
 * Its text is {@code model@world@worker@hash@dtype[@tag%value…]}, world and worker in decimal, the hash in hex.
 *
 * @param model model name without {@code @}, not empty
 * @param worldSize number of workers, at least 1
 * @param workerId not negative
 * @param chunkHash lower-case hex digits, any number of them: LMCache writes the hash as a number
 * @param dtype LMCache's word for the element type, such as {@code bfloat16}; letters, digits and {@code _}
 * @param tags request tags in LMCache's order, which is part of the identity
 */
public record EngineKey(String model, int worldSize, int workerId, String chunkHash, String dtype, List<Tag> tags)
        implements KvKey {

    private static final int FIXED_PARTS = 5;

    /**
     * One request tag.
     *
     * @param name without {@code @} and {@code %}, not empty
     * @param value without {@code @}; may be empty
     */
    public record Tag(String name, String value) {
        /** @throws IllegalArgumentException if a part is not as described */
        public Tag {
            if (name.isEmpty() || name.indexOf('@') >= 0 || name.indexOf('%') >= 0 || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        "a tag's name must be a text without @, % and NUL: \"" + name + "\"");
            }
            if (value.indexOf('@') >= 0 || value.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a tag's value must have no @ and NUL: \"" + value + "\"");
            }
        }
    }

    /** @throws IllegalArgumentException if a part is not as described */
    public EngineKey {
        Objects.requireNonNull(model);
        tags = List.copyOf(tags);
        if (model.isEmpty() || model.indexOf('@') >= 0 || model.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("model must be a name without @ and NUL: \"" + model + "\"");
        }
        if (worldSize < 1 || workerId < 0) {
            throw new IllegalArgumentException(
                    "world size must be at least 1 and worker not negative: " + worldSize + ", " + workerId);
        }
        if (!chunkHash.matches("[0-9a-f]+")) {
            throw new IllegalArgumentException("chunk hash must be lower-case hex digits: \"" + chunkHash + "\"");
        }
        if (!dtype.matches("[A-Za-z0-9_]+")) {
            throw new IllegalArgumentException("dtype must be a word such as bfloat16: \"" + dtype + "\"");
        }
    }

    /** A key without tags. */
    public EngineKey(String model, int worldSize, int workerId, String chunkHash, String dtype) {
        this(model, worldSize, workerId, chunkHash, dtype, List.of());
    }

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException saying which part is wrong
     */
    public static EngineKey parse(String text) {
        String[] parts = text.split("@", -1);
        if (parts.length < FIXED_PARTS) {
            throw new IllegalArgumentException("an engine key is model@world@worker@hash@dtype[@tag%value…], not \""
                    + text + "\" with " + parts.length + " parts");
        }
        List<Tag> tags = new ArrayList<>(parts.length - FIXED_PARTS);
        for (int i = FIXED_PARTS; i < parts.length; i++) {
            int percent = parts[i].indexOf('%');
            if (percent < 0) {
                throw new IllegalArgumentException("a tag is name%value, not \"" + parts[i] + "\" in \"" + text + "\"");
            }
            tags.add(new Tag(parts[i].substring(0, percent), parts[i].substring(percent + 1)));
        }
        return new EngineKey(
                parts[0],
                decimal("world size", parts[1], text),
                decimal("worker", parts[2], text),
                parts[3].toLowerCase(Locale.ROOT),
                parts[4],
                tags);
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(model.length() + chunkHash.length() + 32);
        text.append(model).append('@').append(worldSize).append('@').append(workerId);
        text.append('@').append(chunkHash).append('@').append(dtype);
        for (Tag tag : tags) {
            text.append('@').append(tag.name()).append('%').append(tag.value());
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return text();
    }

    private static int decimal(String part, String digits, String text) {
        if (!digits.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(part + " must be a number in \"" + text + "\": \"" + digits + "\"");
        }
        return Integer.parseInt(digits);
    }
}
