package io.nixlkv.spi.tck.nixl;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** What the lanes share: the directory, the growing ids and what is staged. An agent belongs to its lane. */
final class NixlFileBackend implements StorageBackend {
    private static final String OWN = ".nixl-";

    private final Path root;
    private final MemoryArena arena;
    private final Path temporaries;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Path> staged = new ConcurrentHashMap<>();
    private volatile boolean closed;

    NixlFileBackend(Path root, MemoryArena arena) {
        this.root = root;
        this.arena = arena;
        temporaries = root.resolve(OWN + UUID.randomUUID());
        try {
            Files.createDirectory(temporaries);
        } catch (IOException e) {
            throw new StorageException(Status.FAILED, "cannot create " + temporaries, e);
        }
    }

    MemoryArena arena() {
        return arena;
    }

    boolean closed() {
        return closed;
    }

    boolean reserved(String name) {
        return name.startsWith(OWN);
    }

    Path path(String name) {
        return root.resolve(name);
    }

    Path temporary(long id) {
        return temporaries.resolve(Long.toString(id));
    }

    /** An id that was never used before: NIXL confuses files that share one. */
    long nextId() {
        return ids.incrementAndGet();
    }

    Map<Long, Path> staged() {
        return staged;
    }

    /** Makes a written temporary visible; its file is closed by now. */
    Status publish(Path temporary, Path object) throws IOException {
        try {
            long length = Files.size(temporary);
            Files.createDirectories(object.getParent());
            try {
                Files.createLink(object, temporary);
                return Status.DONE;
            } catch (FileAlreadyExistsException present) {
                return Files.size(object) == length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    @Override
    public Lane openLane() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "the store in " + root + " is closed");
        }
        return new NixlFileLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        if (!name.matches("[A-Za-z0-9_-]+") || count < 1 || slotBytes < 1) {
            throw new StorageException(Status.INVALID, "no such pool: " + count + " × " + slotBytes + " bytes");
        }
        Path slab = root.resolve(OWN + "pool-" + name);
        try (RandomAccessFile file = new RandomAccessFile(slab.toFile(), "rw")) {
            file.setLength(Math.max(file.length(), (long) count * slotBytes));
        } catch (IOException e) {
            throw new StorageException(Status.FAILED, "cannot make the pool " + slab, e);
        }
        return new NixlPool(slab, count, slotBytes);
    }

    @Override
    public void list(int rootIndex, String prefix, long deadline, ObjectVisitor visitor) {
        throw new StorageException(Status.UNSUPPORTED, "NIXL cannot list");
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
