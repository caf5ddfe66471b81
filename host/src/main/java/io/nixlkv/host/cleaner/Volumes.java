package io.nixlkv.host.cleaner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The file systems of a store's directories, each of them once. */
final class Volumes {
    private Volumes() {}

    static List<Volume> of(List<Path> directories) throws IOException {
        Map<Object, Volume.FileSystem> byDevice = new LinkedHashMap<>();
        for (int root = 0; root < directories.size(); root++) {
            Path directory = directories.get(root);
            byDevice.computeIfAbsent(
                            Files.getAttribute(directory, "unix:dev"), device -> new Volume.FileSystem(directory))
                    .add(root, directory);
        }
        return List.copyOf(byDevice.values());
    }
}
