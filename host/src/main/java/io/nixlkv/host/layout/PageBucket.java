package io.nixlkv.host.layout;

import java.nio.charset.StandardCharsets;

/** The folders into which SGLang sorts the files of layout {@code hicache}. */
public final class PageBucket {
    /** Characters of a bucket's name. */
    public static final int CHARS = 2;

    private PageBucket() {}

    /** Whether a file's name, {@code bucket/name}, has the bucket that SGLang looks for it in. */
    public static boolean isRight(String physicalName) {
        if (physicalName.length() <= CHARS + 1 || physicalName.charAt(CHARS) != '/') {
            return false;
        }
        byte[] name = physicalName.getBytes(StandardCharsets.UTF_8);
        long hash = Blake2b.hash64(name, CHARS + 1, name.length);
        return name[0] == Character.forDigit((int) (hash >> 4 & 0xf), 16)
                && name[1] == Character.forDigit((int) (hash & 0xf), 16);
    }
}
