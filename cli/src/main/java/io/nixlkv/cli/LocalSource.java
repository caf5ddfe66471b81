package io.nixlkv.cli;

import io.nixlkv.spi.Capabilities;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** The bytes that {@code put} stores. Standard input and pipes are read to their end first, since their length must be known. */
final class LocalSource implements AutoCloseable {
    private static final Set<OpenOption> COPY =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    private static final int PIECE = 1 << 20;

    private final String name;
    private final ReadableByteChannel channel;
    private final int length;

    private LocalSource(String name, ReadableByteChannel channel, int length) {
        this.name = name;
        this.channel = channel;
        this.length = length;
    }

    /** @throws UsageException if the file cannot be opened, is empty or longer than an object may be */
    static LocalSource open(String file, InputStream standardInput) {
        try {
            if (file.equals("-")) {
                return drained("standard input", standardInput);
            }
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new UsageException("FILE: " + file + " is a directory; give a file");
            }
            if (!Files.exists(path)) {
                throw new NoSuchFileException(file);
            }
            if (!Files.isRegularFile(path)) {
                try (InputStream stream = Files.newInputStream(path)) {
                    return drained(file, stream);
                }
            }
            return new LocalSource(file, Files.newByteChannel(path), checked(file, Files.size(path)));
        } catch (NoSuchFileException absent) {
            throw new UsageException("FILE: there is no file " + file, absent);
        } catch (InvalidPathException wrong) {
            throw new UsageException("FILE: " + file + " is not a file name: " + wrong.getReason(), wrong);
        } catch (IOException refused) {
            throw new UsageException("FILE: " + file + " cannot be read: " + IoReason.of(refused), refused);
        }
    }

    /** Copies a stream to disk, since its length must be known first, and memory is short. */
    private static LocalSource drained(String name, InputStream stream) throws IOException {
        FileChannel copy = temporary();
        try {
            ReadableByteChannel input = Channels.newChannel(stream);
            long length = 0;
            for (long more = 1; more > 0 && length <= Capabilities.MAX_OBJECT_BYTES; length += more) {
                more = copy.transferFrom(input, length, PIECE);
            }
            if (length > Capabilities.MAX_OBJECT_BYTES) {
                throw new UsageException("FILE: " + name + " has more than " + Capabilities.MAX_OBJECT_BYTES
                        + " bytes, the most an object may have");
            }
            return new LocalSource(name, copy, checked(name, length));
        } catch (IOException | RuntimeException failed) {
            copy.close();
            throw failed;
        }
    }

    private static FileChannel temporary() {
        try {
            return FileChannel.open(Files.createTempFile("nixlkv-put", ""), COPY);
        } catch (IOException refused) {
            throw new WorkException(
                    "no temporary file can be made: " + refused + "; make room in "
                            + System.getProperty("java.io.tmpdir")
                            + " or choose another folder with JAVA_OPTS=-Djava.io.tmpdir=DIR",
                    refused);
        }
    }

    private static int checked(String name, long length) {
        if (length < 1) {
            throw new UsageException("FILE: " + name + " is empty; objects have at least 1 byte");
        }
        if (length > Capabilities.MAX_OBJECT_BYTES) {
            throw new UsageException("FILE: " + name + " has " + length + " bytes; objects have at most "
                    + Capabilities.MAX_OBJECT_BYTES);
        }
        return (int) length;
    }

    int length() {
        return length;
    }

    /** Fills {@code target}. @throws WorkException if the file ends early or cannot be read */
    void readInto(ByteBuffer target) {
        try {
            while (target.hasRemaining()) {
                if (channel.read(target) < 0) {
                    throw new WorkException(
                            name + " became shorter while it was read: " + target.remaining() + " bytes are missing",
                            null);
                }
            }
        } catch (IOException failed) {
            throw new WorkException(name + " cannot be read: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new WorkException(name + " cannot be closed: " + failed.getMessage(), failed);
        }
    }
}
