package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Slots in one preallocated file under every root. Thread-safe. */
final class FileSlotPool implements SlotPool {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

    private final FileBackend backend;
    private final int count;
    private final int slotBytes;
    private final List<PoolFiles> files = new ArrayList<>();
    private long handle;
    private volatile boolean open = true;

    private FileSlotPool(FileBackend backend, int count, int slotBytes) {
        this.backend = backend;
        this.count = count;
        this.slotBytes = slotBytes;
    }

    static FileSlotPool open(FileBackend backend, String name, int count, int slotBytes) {
        if (!NAME.matcher(name).matches()) {
            throw new StorageException(
                    Status.INVALID, "a pool name has letters, digits, - and _, not " + Evidence.quoted(name));
        }
        if (count < 1 || slotBytes < 1) {
            throw new StorageException(
                    Status.INVALID,
                    "pool " + name + " needs at least one slot of one byte, not " + count + " of " + slotBytes);
        }
        FileSlotPool pool = new FileSlotPool(backend, count, slotBytes);
        try {
            for (int root = 0; root < backend.roots(); root++) {
                pool.files.add(PoolFiles.open(backend.root(root), name, count, slotBytes, backend.counters()));
            }
            pool.handle = backend.engine()
                    .openPool(
                            count,
                            slotBytes,
                            pool.files.stream().map(PoolFiles::slab).toList());
            return pool;
        } catch (RuntimeException failed) {
            pool.undo(failed);
            throw failed;
        }
    }

    private void undo(RuntimeException failed) {
        for (PoolFiles opened : files) {
            try (opened) {
                opened.removeIfMade();
            } catch (IOException left) {
                failed.addSuppressed(left);
            }
        }
    }

    boolean belongsTo(FileBackend other) {
        return backend == other;
    }

    boolean isOpen() {
        return open;
    }

    SlabFile slab(int root) {
        return files.get(root).slab();
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int slotBytes() {
        return slotBytes;
    }

    @Override
    public long handle() {
        return handle;
    }

    /** @throws StorageException if a file cannot be closed */
    @Override
    public synchronized void close() {
        if (!open) {
            return;
        }
        open = false;
        backend.engine().closePool(handle);
        IOException failed = null;
        for (PoolFiles each : files) {
            try {
                each.close();
            } catch (IOException failure) {
                failed = failure;
            }
        }
        if (failed != null) {
            throw new StorageException(Status.FAILED, "a pool file was not closed in order: " + failed, failed);
        }
    }
}
