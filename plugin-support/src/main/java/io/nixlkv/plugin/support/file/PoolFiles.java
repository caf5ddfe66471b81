package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A pool's files under one root: {@code <name>.slab} with the slots, and {@code <name>.lock}, locked while it is open, which says
 * {@code <count> <slotBytes>}. The lock is not on the slab, since an interrupt closes that channel and would drop it.
 */
final class PoolFiles implements AutoCloseable {
    private static final Set<OpenOption> LOCK_FILE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final int BLOCK = 4 << 20;
    private static final int GEOMETRY_BYTES = 64;

    private final PoolClaim claim;
    private final FileChannel lock;
    private final Path slabFile;
    private SlabFile slab;
    private boolean made;

    private PoolFiles(PoolClaim claim, FileChannel lock, Path slabFile) {
        this.claim = claim;
        this.lock = lock;
        this.slabFile = slabFile;
    }

    /** @throws StorageException if the pool is open elsewhere, has another geometry, or cannot be made */
    static PoolFiles open(FileRoot root, String name, int count, int slotBytes, TransferCounters counters) {
        Path slabFile = root.path()
                .resolve(ObjectNames.RESERVED)
                .resolve(PoolClaim.FOLDER)
                .resolve(name + ".slab");
        try {
            Path pools = root.pools();
            PoolFiles files = locked(root, pools, name, slabFile);
            try {
                files.prepare(root, count, slotBytes);
                files.slab = new SlabFile(slabFile, root.directIo(), counters);
                return files;
            } catch (IOException | RuntimeException failed) {
                try (files) {
                    files.removeIfMade();
                }
                throw failed;
            }
        } catch (IOException failed) {
            FileFailure failure = FileFailure.ofWriting(failed, root.path().toFile());
            throw new StorageException(
                    failure.status(), failure.sentence("cannot open the pool file " + slabFile), failed);
        }
    }

    private static PoolFiles locked(FileRoot root, Path pools, String name, Path slabFile) throws IOException {
        PoolClaim claim;
        try {
            claim = PoolClaim.take(pools, name, root.modes());
        } catch (FileAlreadyExistsException ours) {
            throw inUse(slabFile, "this process");
        }
        FileChannel lock = null;
        try {
            lock = FileChannel.open(pools.resolve(name + ".lock"), LOCK_FILE, root.fileMode());
            if (lock.tryLock() == null) {
                throw inUse(slabFile, "another process");
            }
            return new PoolFiles(claim, lock, slabFile);
        } catch (IOException | RuntimeException failed) {
            try (claim) {
                if (lock != null) {
                    lock.close();
                }
            }
            throw failed;
        }
    }

    private static StorageException inUse(Path slabFile, String who) {
        return new StorageException(
                Status.UNAVAILABLE,
                "the pool file " + slabFile + " is in use by " + who
                        + "; a static pool has one owner: close the other store or give this one another state_dir");
    }

    private void prepare(FileRoot root, int count, int slotBytes) throws IOException {
        String wanted = count + " " + slotBytes;
        if (!Files.exists(slabFile)) {
            made = true;
            lock.truncate(0);
            lock.write(ByteBuffer.wrap(wanted.getBytes(StandardCharsets.US_ASCII)), 0);
            allocate(root, (long) count * slotBytes);
            return;
        }
        ByteBuffer text = ByteBuffer.allocate(GEOMETRY_BYTES);
        lock.read(text, 0);
        String found = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
        long bytes = Files.size(slabFile);
        if (!found.equals(wanted) || bytes != (long) count * slotBytes) {
            throw new StorageException(
                    Status.INVALID,
                    "the pool file " + slabFile + " was made for (slots, bytes of a slot) = ("
                            + found.replace(" ", ", ")
                            + ") and has " + bytes + " bytes, wanted are (" + count + ", " + slotBytes
                            + "); use its geometry or delete the file");
        }
    }

    private void allocate(FileRoot root, long bytes) throws IOException {
        Path half = slabFile.resolveSibling(slabFile.getFileName() + ".new");
        Files.deleteIfExists(half);
        try {
            try (FileChannel channel = FileChannel.open(half, NEW, root.fileMode())) {
                ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(BLOCK, bytes));
                for (long at = 0; at < bytes; ) {
                    zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                    at += channel.write(zeros, at);
                }
                channel.force(false);
            }
            Files.move(half, slabFile, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(half);
        }
        root.directories().sync(slabFile.getParent());
    }

    SlabFile slab() {
        return slab;
    }

    /** Removes the slab if this opening made it; for a pool of which another root failed. */
    void removeIfMade() throws IOException {
        if (made) {
            Files.deleteIfExists(slabFile);
        }
    }

    @Override
    public void close() throws IOException {
        try (claim;
                lock) {
            if (slab != null) {
                slab.close();
            }
        }
    }
}
