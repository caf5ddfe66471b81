package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the file system of a directory is mounted. When it is not mounted any more, the folder below looks like the directory but
 * is another place. Immutable.
 */
record MountPoint(Path path) {
    /** Of an existing directory. */
    static MountPoint of(Path directory) throws IOException {
        Path at = directory;
        while (!isMounted(at)) {
            at = at.getParent();
        }
        return new MountPoint(at);
    }

    private static boolean isMounted(Path path) throws IOException {
        Path parent = path.getParent();
        return parent == null || !device(path).equals(device(parent));
    }

    private static Object device(Path path) throws IOException {
        return Files.getAttribute(path, "unix:dev");
    }

    /** @throws UnmountedException if nothing is mounted here */
    void require() throws IOException {
        if (!isMounted(path)) {
            throw new UnmountedException(path);
        }
    }
}
