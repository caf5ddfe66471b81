package io.nixlkv.plugin.support.file;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;

/** What stands under an object's name. */
final class StoredObject {
    /** Nothing is there, or a zero-length leftover, which counts as nothing. */
    static final long ABSENT = 0;

    /** Something that is no object: a directory, a symbolic link, a device. */
    static final long FOREIGN = -1;

    private StoredObject() {}

    /** Bytes of the object, {@link #ABSENT} or {@link #FOREIGN}. What cannot be examined is an exception, never a miss. */
    static long length(File file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file.toPath(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile() ? attributes.size() : FOREIGN;
        } catch (NoSuchFileException missing) {
            return ABSENT;
        }
    }

    /**
     * The same for a caller who goes on to make the object: an ordinary miss costs no exception, and what cannot be examined, a
     * link to nowhere included, counts as absent.
     */
    static long lengthBeforeWriting(File file) throws IOException {
        return file.exists() ? length(file) : ABSENT;
    }
}
