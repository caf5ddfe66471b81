package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.file.DirectoryCheck;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What is mounted where 3FS should be. */
final class Mount {
    /** The folder that every mount of 3FS shows and that is on no disk. */
    private static final String VIRTUAL = "3fs-virt";

    private Mount() {}

    /** Why {@code path} is no mount of 3FS, with what was found there; empty if it is one. Answers within a second, also when the mount hangs. */
    static Optional<String> problem(Path path) {
        // first of all, since it does not wait for a mount that hangs
        Optional<String> unusable = DirectoryCheck.problem(List.of(path));
        if (unusable.isPresent()) {
            return Optional.of(ThreeFsParameters.MOUNT + ": " + unusable.get());
        }
        if (!Files.isDirectory(path)) {
            return Optional.of(ThreeFsParameters.MOUNT + " " + path + " does not exist; mount 3FS there");
        }
        if (Files.isDirectory(path.resolve(VIRTUAL))) {
            return Optional.empty();
        }
        return Optional.of(ThreeFsParameters.MOUNT + " " + path + " is not 3FS: found " + found(path)
                + " without the folder " + VIRTUAL + "; name the folder on which hf3fs_fuse_main has mounted 3FS");
    }

    private static String found(Path path) {
        try {
            FileStore store = Files.getFileStore(path);
            return "a directory on " + store.type() + " (" + store.name() + ")";
        } catch (IOException unknown) {
            return "a directory whose file system does not tell its type (" + unknown.getMessage() + ")";
        }
    }
}
