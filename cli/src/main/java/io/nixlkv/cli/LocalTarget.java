package io.nixlkv.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Where {@code get} writes: a file that appears whole, a device or pipe that is written as it is, or standard output. */
final class LocalTarget {
    private final Path path;
    private final PrintStream standardOutput;

    private LocalTarget(Path path, PrintStream standardOutput) {
        this.path = path;
        this.standardOutput = standardOutput;
    }

    /** @throws UsageException if nothing can be written there */
    static LocalTarget of(String file, PrintStream standardOutput) {
        if (file.equals("-")) {
            return new LocalTarget(null, standardOutput);
        }
        try {
            Path path = Path.of(file).toAbsolutePath();
            if (Files.exists(path)) {
                path = path.toRealPath();
            }
            if (Files.isDirectory(path)) {
                throw new UsageException("FILE: " + file + " is a directory; give a file name");
            }
            if (path.getParent() == null || !Files.isDirectory(path.getParent())) {
                throw new UsageException("FILE: there is no directory " + path.getParent() + "; make it first");
            }
            return new LocalTarget(path, standardOutput);
        } catch (InvalidPathException wrong) {
            throw new UsageException("FILE: " + file + " is not a file name: " + wrong.getReason(), wrong);
        } catch (IOException refused) {
            throw new UsageException("FILE: " + file + " cannot be written: " + IoReason.of(refused), refused);
        }
    }

    /** @throws WorkException if it cannot be written; no part of the file is left then */
    void write(ByteBuffer bytes) {
        try {
            if (path == null) {
                all(bytes, Channels.newChannel(standardOutput));
                standardOutput.flush();
            } else if (Files.exists(path) && !Files.isRegularFile(path)) {
                try (WritableByteChannel channel = Files.newByteChannel(path, StandardOpenOption.WRITE)) {
                    all(bytes, channel);
                }
            } else {
                replace(bytes);
            }
        } catch (IOException failed) {
            throw new WorkException("the object cannot be written to " + path + ": " + IoReason.of(failed), failed);
        }
    }

    private void replace(ByteBuffer bytes) throws IOException {
        Path part = path.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            try (WritableByteChannel channel =
                    Files.newByteChannel(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                all(bytes, channel);
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void all(ByteBuffer bytes, WritableByteChannel channel) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
