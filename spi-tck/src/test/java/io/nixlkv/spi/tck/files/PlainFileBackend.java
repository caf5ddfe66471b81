package io.nixlkv.spi.tck.files;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** One directory. Temporaries lie in {@code .tmp-<instance>} beside the objects. */
final class PlainFileBackend implements StorageBackend {
    private static final String TEMPORARY = ".tmp-";

    private final Path root;
    private final Capabilities can;
    private final Path temporaries;
    private final AtomicLong tokens = new AtomicLong();
    private final Map<Long, Path> staged = new ConcurrentHashMap<>();
    private volatile boolean closed;

    PlainFileBackend(Path root, Capabilities can) {
        this.root = root;
        this.can = can;
        temporaries = root.resolve(TEMPORARY + UUID.randomUUID());
        try {
            Files.createDirectory(temporaries);
        } catch (IOException e) {
            throw new StorageException(Status.FAILED, "cannot create " + temporaries, e);
        }
    }

    Capabilities can() {
        return can;
    }

    boolean closed() {
        return closed;
    }

    Path path(String name) {
        return root.resolve(name);
    }

    /** Whether the name is one of our own. */
    boolean reserved(String name) {
        return name.startsWith(TEMPORARY);
    }

    Path temporary(long token) {
        return temporaries.resolve(Long.toString(token));
    }

    long nextToken() {
        return tokens.incrementAndGet();
    }

    Map<Long, Path> staged() {
        return staged;
    }

    @Override
    public Lane openLane() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "the store in " + root + " is closed");
        }
        return new PlainFileLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        throw new StorageException(Status.UNSUPPORTED, "PLAIN_FILES has no pools");
    }

    @Override
    public void list(int rootIndex, String prefix, long deadline, ObjectVisitor visitor) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Iterator<Path> all = files.iterator(); ; ) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StorageException(Status.TIMED_OUT, "listing " + root + " took too long");
                }
                if (!all.hasNext()) {
                    return;
                }
                Path file = all.next();
                String name = root.relativize(file).toString();
                if (name.startsWith(prefix) && !reserved(name) && Files.isRegularFile(file)) {
                    if (!visit(file, name, visitor)) {
                        return;
                    }
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StorageException(Status.FAILED, "cannot list " + root, e);
        }
    }

    private static boolean visit(Path file, String name, ObjectVisitor visitor) throws IOException {
        try {
            return visitor.visit(
                    name, Files.size(file), Files.getLastModifiedTime(file).toMillis());
        } catch (NoSuchFileException vanished) {
            return true;
        }
    }

    @Override
    public boolean drain(long deadline) {
        return true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Stream<Path> left = Files.list(temporaries)) {
            for (Path file : left.toList()) {
                Files.deleteIfExists(file);
            }
            Files.delete(temporaries);
        } catch (IOException e) {
            throw new StorageException(Status.FAILED, "cannot remove " + temporaries, e);
        }
    }
}
