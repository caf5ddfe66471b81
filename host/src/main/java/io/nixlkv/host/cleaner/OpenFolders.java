package io.nixlkv.host.cleaner;

import io.nixlkv.host.cleaner.Inventory.Folder;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folders that a pass deletes from, some of them kept open. A folder is reached step by step from its directory, never through
 * a link, whatever has been put into its place since it was surveyed. Not thread-safe.
 */
final class OpenFolders implements AutoCloseable {
    private static final int MOST_OPEN = 64;

    private final List<Path> roots;
    private final Map<Folder, SecureDirectoryStream<Path>> open = new LinkedHashMap<>(16, 0.75f, true);

    OpenFolders(List<Path> roots) {
        this.roots = roots;
    }

    BasicFileAttributes attributes(Folder folder, String name) throws IOException {
        return of(folder)
                .getFileAttributeView(Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    void delete(Folder folder, String name) throws IOException {
        of(folder).deleteFile(Path.of(name));
    }

    private SecureDirectoryStream<Path> of(Folder folder) throws IOException {
        SecureDirectoryStream<Path> known = open.get(folder);
        if (known != null) {
            return known;
        }
        if (open.size() >= MOST_OPEN) {
            Folder longestUnused = open.keySet().iterator().next();
            open.remove(longestUnused).close();
        }
        SecureDirectoryStream<Path> reached = reach(folder);
        open.put(folder, reached);
        return reached;
    }

    private SecureDirectoryStream<Path> reach(Folder folder) throws IOException {
        SecureDirectoryStream<Path> at = Survey.open(roots.get(folder.root()));
        for (String part :
                folder.prefix().isEmpty() ? new String[0] : folder.prefix().split("/")) {
            try (SecureDirectoryStream<Path> parent = at) {
                at = parent.newDirectoryStream(Path.of(part), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return at;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (SecureDirectoryStream<Path> folder : open.values()) {
            try {
                folder.close();
            } catch (IOException failed) {
                failure = failed;
            }
        }
        open.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
