package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.Path;

/** The file system of a directory is not mounted any more. */
final class UnmountedException extends IOException {
    private static final long serialVersionUID = 1;

    UnmountedException(Path mountPoint) {
        super("nothing is mounted on " + mountPoint + " any more");
    }
}
