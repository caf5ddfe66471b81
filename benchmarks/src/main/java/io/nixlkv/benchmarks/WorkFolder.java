package io.nixlkv.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for one contender, removed with everything in it when closed. */
record WorkFolder(Path path) implements AutoCloseable {

    /** Makes a fresh folder in {@code directory}; its name starts with {@code nixlkv-compare}. */
    static WorkFolder in(Path directory) {
        try {
            return new WorkFolder(Files.createTempDirectory(directory, "nixlkv-compare"));
        } catch (IOException e) {
            throw new UncheckedIOException("no folder can be made in " + directory, e);
        }
    }

    @Override
    public void close() {
        try {
            List<Path> contents;
            try (Stream<Path> walk = Files.walk(path)) {
                contents = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path content : contents) {
                Files.deleteIfExists(content);
            }
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException(path + " was removed by somebody else", e);
        } catch (IOException e) {
            throw new UncheckedIOException(path + " could not be removed", e);
        }
    }
}
