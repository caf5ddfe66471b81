package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Slots in preallocated files, one under every root or one for every slot. Thread-safe. */
final class FileSlotPool implements SlotPool {
    private final FileBackend backend;
    private final PoolForm form;
    private final List<PoolFiles> files = new ArrayList<>();
    private long handle;
    private volatile boolean open = true;

    private FileSlotPool(FileBackend backend, PoolForm form) {
        this.backend = backend;
        this.form = form;
    }

    static FileSlotPool open(FileBackend backend, PoolForm form) {
        FileEngine engine = backend.engine();
        if (!engine.offers(form.layout())) {
            throw new StorageException(
                    Status.UNSUPPORTED,
                    "pool " + form.name()
                            + " cannot have a file for each slot: this engine opens a pool's files once for each"
                            + " of its lanes; use pool_layout = \"slab\" or another engine");
        }
        FileSlotPool pool = new FileSlotPool(backend, form);
        try {
            if (form.separate()) {
                OpenFiles.require(pool.descriptors(), form);
            }
            boolean kept = !form.separate() || !engine.keepsSlotFiles();
            for (int root = 0; root < backend.roots(); root++) {
                pool.files.add(PoolFiles.open(backend.root(root), form, backend.counters(), kept));
            }
            pool.handle = engine.openPool(
                    form,
                    pool.files.stream().flatMap(root -> root.files().stream()).toList());
            return pool;
        } catch (RuntimeException failed) {
            pool.undo(failed);
            throw failed;
        }
    }

    /** Open files that the pool takes: one for each slot, and one more where transfers bypass the page cache. */
    private long descriptors() {
        long files = 0;
        for (int root = 0; root < backend.roots(); root++) {
            files += backend.root(root).directIo().usable() ? 2L * form.count() : form.count();
        }
        return files;
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

    PoolFile file(int root, int slot) {
        return files.get(root).files().get(form.separate() ? slot : 0);
    }

    /** Where a slot begins in its file. */
    long position(int slot) {
        return form.position(slot);
    }

    @Override
    public boolean isLost(int root, int slot) {
        return file(root, slot).isLost();
    }

    @Override
    public int count() {
        return form.count();
    }

    @Override
    public int slotBytes() {
        return form.slotBytes();
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
