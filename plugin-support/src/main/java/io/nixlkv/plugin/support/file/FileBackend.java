package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Objects as files in one directory or several, moved by pure Java (engine {@code nio}) or by a native engine.
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
    private final FileEngine engine;
    private final ActiveTransfers active = new ActiveTransfers();
    private final Set<FileSlotPool> pools = ConcurrentHashMap.newKeySet();

    private FileBackend(FileSettings settings, List<FileRoot> roots, FileEngine engine) {
        this.settings = settings;
        this.roots = roots;
        this.engine = engine;
    }

    /**
     * Opens all directories, making the missing ones, and removes what ended processes left in them.
     *
     * @return the backend, owned by the caller
     * @throws StorageException naming the directory that cannot be used and why; nothing is left open
     */
    public static FileBackend open(FileSettings settings) {
        return open(settings, JavaEngine::new);
    }

    /**
     * The same with a native engine.
     *
     * @param arena the memory of all transfers
     */
    public static FileBackend open(FileSettings settings, NativeSettings engine, MemoryArena arena) {
        return open(settings, roots -> NativeEngine.open(engine, roots, arena));
    }

    /** The same with a library that carries out transfer requests. */
    public static FileBackend open(FileSettings settings, RequestEngine library) {
        return open(settings, roots -> new RequestFileEngine(library, roots));
    }

    private static FileBackend open(FileSettings settings, Function<List<FileRoot>, FileEngine> engine) {
        List<FileRoot> opened = new ArrayList<>();
        try {
            settings.directories().forEach(directory -> opened.add(FileRoot.open(directory, settings)));
            List<FileRoot> roots = List.copyOf(opened);
            return new FileBackend(settings, roots, engine.apply(roots));
        } catch (RuntimeException failed) {
            opened.forEach(FileRoot::close);
            throw failed;
        }
    }

    @Override
    public int roots() {
        return roots.size();
    }

    @Override
    public Lane openLane() {
        requireOpen();
        return engine.openLane(this);
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
        Map<String, String> facts = new LinkedHashMap<>(engine.facts());
        for (FileRoot root : roots) {
            facts.put("direct_io[" + root.path() + "]", root.directIo().reason());
        }
        Map<String, Long> numbers = counters.snapshot();
        numbers.putAll(engine.counters());
        return new BackendReport(facts, numbers);
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
        engine.stop();
        active.await(System.nanoTime() + CLOSE_NANOS);
        try (engine) {
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

    FileEngine engine() {
        return engine;
    }

    /** Keeps what pure Java staged until it is taken; the token. */
    long stage(Staged object) {
        return engine.stage(object);
    }

    /** Spends a token; {@code null} if there is no such token. */
    Staged takeStaged(long token) {
        return engine.takeStaged(token);
    }

    ActiveTransfers active() {
        return active;
    }

    TransferCounters counters() {
        return counters;
    }
}
