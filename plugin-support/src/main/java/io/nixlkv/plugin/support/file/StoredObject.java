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

    /** Bytes of the object, {@link #ABSENT} or {@link #FOREIGN}. The ordinary miss costs one system call and no exception. */
    static long length(File file) throws IOException {
        if (file.length() == 0) {
            return ABSENT;
        }
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file.toPath(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile() ? attributes.size() : FOREIGN;
        } catch (NoSuchFileException deletedMeanwhile) {
            return ABSENT;
        }
    }
}
