package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/** Visits the objects under one root. Links are not followed; what vanishes meanwhile is left out. One walk, one thread. */
final class ObjectWalk {
    /** Temporaries of LMCache ({@code <object>.tmp.<number or hex>}) and its pool files; neither are objects. */
    private static final Pattern OTHER_TOOLS =
            Pattern.compile(".*\\.tmp\\.[0-9A-Fa-f-]+|obj_[0-9]+_[0-9A-Fa-f]+\\.bin", Pattern.DOTALL);

    private static final char UNDECODABLE = '\uFFFD';

    private record Folder(Path path, String prefix) {}

    private final FileRoot root;
    private final String prefix;
    private final long deadline;
    private final ObjectVisitor visitor;
    private final Deque<Folder> folders = new ArrayDeque<>();

    ObjectWalk(FileRoot root, String prefix, long deadline, ObjectVisitor visitor) {
        this.root = root;
        this.prefix = prefix;
        this.deadline = deadline;
        this.visitor = visitor;
    }

    /** @throws StorageException if a directory cannot be read, or at the deadline */
    void run() {
        folders.push(new Folder(root.path(), ""));
        while (!folders.isEmpty()) {
            Folder folder = folders.pop();
            try {
                if (!visit(folder)) {
                    return;
                }
            } catch (IOException failed) {
                FileFailure failure = FileFailure.of(failed);
                throw new StorageException(failure.status(), failure.sentence("cannot list " + folder.path()), failed);
            }
        }
    }

    private boolean visit(Folder folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path())) {
            for (Path entry : entries) {
                if (ChunkedIo.expired(deadline)) {
                    throw new StorageException(
                            Status.TIMED_OUT, "listing " + root.path() + " was not done at the deadline");
                }
                if (!visit(folder, entry)) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException | NotDirectoryException vanished) {
            if (folder.prefix().isEmpty()) {
                throw vanished;
            }
            return true;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
    }

    private boolean visit(Folder folder, Path entry) throws IOException {
        String part = entry.getFileName().toString();
        String name = folder.prefix() + part;
        if (part.indexOf(UNDECODABLE) >= 0
                || name.equals(ObjectNames.RESERVED)
                || !(name.startsWith(prefix) || prefix.startsWith(name + "/"))) {
            return true;
        }
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException vanished) {
            return true;
        }
        if (attributes.isDirectory()) {
            folders.push(new Folder(entry, name + "/"));
            return true;
        }
        if (!attributes.isRegularFile()
                || attributes.size() == 0
                || !name.startsWith(prefix)
                || OTHER_TOOLS.matcher(part).matches()) {
            return true;
        }
        long lastUse = Math.max(
                attributes.lastAccessTime().toMillis(),
                attributes.lastModifiedTime().toMillis());
        return visitor.visit(name, attributes.size(), lastUse);
    }
}
