package io.nixlkv.plugin.support.file;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A symbolic link in an object's path leads outside the directory. */
final class OutsideException extends FileSystemException {
    private static final long serialVersionUID = 1;

    OutsideException(Path link) {
        super(link.toString());
    }
}
