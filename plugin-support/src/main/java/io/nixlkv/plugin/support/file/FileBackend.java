package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Objects as files in one directory or several, in pure Java (engine {@code nio}).
 *
 * <p>Several backends and processes may share a directory. An object appears whole or not at all, to every process; what a killed
 * process leaves behind is swept by the next one that opens the directory.
 */
public final class FileBackend implements StorageBackend {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FileSettings settings;
    private final List<FileRoot> roots;
    private final TransferCounters counters = new TransferCounters();
    private final ObjectFiles files = new ObjectFiles(counters);
    private final StagedObjects staged = new StagedObjects();
    private final ActiveTransfers active = new ActiveTransfers();
    private final Set<FileSlotPool> pools = ConcurrentHashMap.newKeySet();

    private FileBackend(FileSettings settings, List<FileRoot> roots) {
        this.settings = settings;
        this.roots = roots;
    }

    /**
     * Opens all directories, making the missing ones, and removes what ended processes left in them.
     *
     * @return the backend, owned by the caller
     * @throws StorageException naming the directory that cannot be used and why; nothing is left open
     */
    public static FileBackend open(FileSettings settings) {
        List<FileRoot> opened = new ArrayList<>();
        try {
            for (Path directory : settings.directories()) {
                FileRoot root = FileRoot.open(directory, settings);
                opened.add(root);
                requireApart(settings, opened, directory);
            }
            return new FileBackend(settings, List.copyOf(opened));
        } catch (RuntimeException failed) {
            opened.forEach(FileRoot::close);
            throw failed;
        }
    }

    /** The last of {@code roots} must not be, or hold, or lie in another one: its objects would be listed twice. */
    private static void requireApart(FileSettings settings, List<FileRoot> roots, Path given) {
        Path added = roots.get(roots.size() - 1).path();
        for (FileRoot other : roots.subList(0, roots.size() - 1)) {
            if (added.startsWith(other.path()) || other.path().startsWith(added)) {
                throw new StorageException(
                        Status.INVALID,
                        settings.store() + ": directory " + given + " is " + added + ", which shares objects with "
                                + other.path() + "; give directories apart from each other");
            }
        }
    }

    @Override
    public int roots() {
        return roots.size();
    }

    @Override
    public Lane openLane() {
        requireOpen();
        return new FileLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        requireOpen();
        pools.removeIf(pool -> !pool.isOpen());
        FileSlotPool pool = FileSlotPool.open(this, name, count, slotBytes);
        pools.add(pool);
        return pool;
    }

    @Override
    public void list(int root, String prefix, long deadline, ObjectVisitor visitor) {
        requireOpen();
        if (root < 0 || root >= roots.size()) {
            throw new StorageException(
                    Status.INVALID, settings.store() + " has no directory number " + root + ", only " + roots.size());
        }
        new ObjectWalk(roots.get(root), prefix, deadline, visitor).run();
    }

    /** Facts: {@code publication[directory]} and {@code direct_io[directory]}, the effective way and its reason. */
    @Override
    public BackendReport report() {
        Map<String, String> facts = new LinkedHashMap<>();
        for (FileRoot root : roots) {
            facts.put("publication[" + root.path() + "]", root.describePublication());
            facts.put("direct_io[" + root.path() + "]", root.directIo().reason());
        }
        return new BackendReport(facts, counters.snapshot());
    }

    @Override
    public boolean drain(long deadline) {
        return active.await(deadline);
    }

    /** Waits at most five seconds for running batches, forgets what is staged, closes the pools and removes its temporaries. */
    @Override
    public void close() {
        if (!active.close()) {
            return;
        }
        active.await(System.nanoTime() + CLOSE_NANOS);
        staged.discardAll();
        try {
            pools.forEach(FileSlotPool::close);
        } finally {
            roots.forEach(FileRoot::close);
        }
    }

    private void requireOpen() {
        if (active.closed()) {
            throw new StorageException(Status.UNAVAILABLE, settings.store() + " store is closed; open it again");
        }
    }

    FileRoot root(int number) {
        return roots.get(number);
    }

    ObjectFiles files() {
        return files;
    }

    StagedObjects staged() {
        return staged;
    }

    ActiveTransfers active() {
        return active;
    }

    TransferCounters counters() {
        return counters;
    }
}
