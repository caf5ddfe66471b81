package io.nixlkv.host.cleaner;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Walks the directories of a store and tells what files there are. Every folder is opened relative to its parent's descriptor and
 * no link is followed, so it cannot be led out of a directory. What vanishes meanwhile is left out; a folder that cannot be read is
 * counted and passed over. One walk, one thread.
 */
final class Survey {
    private static final int DEEPEST = 64;
    private static final char UNDECODABLE = '\uFFFD';

    /** Takes what is found. */
    interface Visitor {
        /** Whether a folder is looked into. @param prefix of the one it lies in: empty, or ending in {@code /} */
        boolean enters(String prefix, String folder);

        /** Its objects follow. @param prefix empty, or ending in {@code /} */
        void folder(int root, String prefix);

        /** A regular file of the folder announced last. */
        void file(String prefix, String name, BasicFileAttributes attributes);
    }

    private final Visitor visitor;
    private final BooleanSupplier stop;
    private long unreadable;
    private String firstReason = "";

    Survey(Visitor visitor, BooleanSupplier stop) {
        this.visitor = visitor;
        this.stop = stop;
    }

    void walk(int root, Path directory) {
        try (SecureDirectoryStream<Path> folder = open(directory)) {
            visit(root, folder, "", 0);
        } catch (IOException failed) {
            failed(directory.toString(), failed);
        }
    }

    /** @throws IOException also where the system cannot open folders relative to each other */
    static SecureDirectoryStream<Path> open(Path directory) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new FileSystemException(directory.toString(), null, "this system has no descriptor-relative file access");
    }

    private void visit(int root, SecureDirectoryStream<Path> folder, String prefix, int depth) throws IOException {
        List<Path> inside = new ArrayList<>();
        visitor.folder(root, prefix);
        try {
            for (Path entry : folder) {
                if (stop.getAsBoolean()) {
                    return;
                }
                Path name = entry.getFileName();
                String text = name.toString();
                if (text.indexOf(UNDECODABLE) < 0) {
                    look(folder, prefix, name, text, inside);
                }
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        for (Path name : depth < DEEPEST ? inside : List.<Path>of()) {
            if (stop.getAsBoolean()) {
                return;
            }
            enter(root, folder, prefix, name, depth);
        }
    }

    private void look(SecureDirectoryStream<Path> folder, String prefix, Path name, String text, List<Path> inside) {
        try {
            BasicFileAttributes attributes = folder.getFileAttributeView(
                            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (attributes.isRegularFile()) {
                visitor.file(prefix, text, attributes);
            } else if (attributes.isDirectory() && visitor.enters(prefix, text)) {
                inside.add(name);
            }
        } catch (NoSuchFileException vanished) {
            // somebody deleted it; so much the better
        } catch (IOException failed) {
            failed(prefix + text, failed);
        }
    }

    private void enter(int root, SecureDirectoryStream<Path> parent, String prefix, Path name, int depth) {
        try (SecureDirectoryStream<Path> folder = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            visit(root, folder, prefix + name + "/", depth + 1);
        } catch (NoSuchFileException | NotDirectoryException vanished) {
            // deleted or replaced since it was seen
        } catch (IOException failed) {
            failed(prefix + name, failed);
        }
    }

    private void failed(String what, IOException failure) {
        unreadable++;
        if (firstReason.isEmpty()) {
            firstReason = what + ": " + failure;
        }
    }

    /** Folders and files that could not be looked at. */
    long unreadable() {
        return unreadable;
    }

    /** What was wrong with the first of them; empty if there was none. */
    String firstReason() {
        return firstReason;
    }
}
