package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes directories under one root and brings them to stable storage. Thread-safe. */
final class Directories {
    private final Path root;
    private final FileAttribute<?> mode;
    private final Set<Path> onStableStorage = ConcurrentHashMap.newKeySet();

    Directories(Path root, FileModes modes) {
        this.root = root;
        mode = modes.ofDirectories();
    }

    /**
     * Makes {@code directory} with its parents; nothing happens when it is there.
     *
     * @throws NotDirectoryException naming the component that is a file
     */
    void make(Path directory) throws IOException {
        try {
            create(directory);
        } catch (NoSuchFileException parentMissing) {
            Path parent = directory.getParent();
            if (parent == null) {
                throw parentMissing;
            }
            make(parent);
            create(directory);
        }
    }

    private void create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, mode);
            onStableStorage.remove(directory);
        } catch (FileAlreadyExistsException exists) {
            if (!Files.isDirectory(directory)) {
                throw new NotDirectoryException(directory.toString());
            }
        }
    }

    /** Brings the entries of {@code directory}, and its own and its parents' entries up to the root, to stable storage. */
    void sync(Path directory) throws IOException {
        force(directory);
        for (Path at = directory; !at.equals(root) && !onStableStorage.contains(at); at = at.getParent()) {
            force(at.getParent());
            onStableStorage.add(at);
        }
    }

    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
