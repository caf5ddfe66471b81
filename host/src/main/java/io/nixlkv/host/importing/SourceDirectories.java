package io.nixlkv.host.importing;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Finds the files of the directories to import from. Writes nothing, and follows no links. */
final class SourceDirectories {
    /** LMCache's temporaries and pool files, as LMCache names them; neither are objects. */
    private static final Pattern NOT_OBJECTS =
            Pattern.compile(".*\\.tmp\\.[0-9A-Fa-f-]+|obj_[0-9]+_[0-9A-Fa-f]+\\.bin", Pattern.DOTALL);

    /** Where a store of ours keeps what is not an object. */
    private static final String RESERVED = ".nixlkv";

    private SourceDirectories() {}

    /**
     * The files with content, ordered by name.
     *
     * @param stop asked now and then; true ends the search with what was found
     * @throws StorageException naming the directory that cannot be read
     */
    static List<SourceFile> find(List<Path> directories, BooleanSupplier stop) {
        List<SourceFile> files = new ArrayList<>();
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw new StorageException(
                        Status.INVALID, "cannot import from " + directory + ": it is not a directory");
            }
            try {
                Files.walkFileTree(directory, new Collector(directory, files, stop));
            } catch (IOException failed) {
                throw new StorageException(
                        Status.FAILED,
                        "cannot import from " + directory + ": " + failed + "; make it readable and repeat",
                        failed);
            }
        }
        files.sort(Comparator.comparing(SourceFile::name));
        return files;
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final Path directory;
        private final List<SourceFile> files;
        private final BooleanSupplier stop;

        Collector(Path directory, List<SourceFile> files, BooleanSupplier stop) {
            this.directory = directory;
            this.files = files;
            this.stop = stop;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(directory.resolve(RESERVED)) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean object = attributes.isRegularFile()
                    && attributes.size() > 0
                    && !NOT_OBJECTS.matcher(file.getFileName().toString()).matches();
            if (object) {
                String name = directory.relativize(file).toString();
                files.add(new SourceFile(file, name, attributes.size()));
            }
            return stop.getAsBoolean() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }
    }
}
