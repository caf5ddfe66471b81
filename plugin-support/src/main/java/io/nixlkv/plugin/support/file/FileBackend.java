package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.BackendReport;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.PoolLayout;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects as files in one directory or several, moved by pure Java (engine {@code nio}) or by a native engine.
 *
 * <p>Several backends and processes may share a directory. An object appears whole or not at all, to every process; what a killed
 * process leaves behind is swept by the next one that opens the directory.
 */
public final class FileBackend implements StorageBackend {
    private static final Logger LOG = LoggerFactory.getLogger(FileBackend.class);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CLEAN_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

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
        return open(
                settings,
                roots -> roots.stream().allMatch(FileRoot::writable)
                        ? NativeEngine.open(engine, roots, arena)
                        : readingOnly(engine, roots));
    }

    /** Native code needs its folder of temporaries from the start; pure Java makes it as soon as there is room. */
    private static FileEngine readingOnly(NativeSettings engine, List<FileRoot> roots) {
        LOG.warn("engine {} needs to write in every directory; this store stays with engine nio", engine.engine());
        return new JavaEngine(roots);
    }

    /** The same with a library that carries out transfer requests. */
    public static FileBackend open(FileSettings settings, RequestEngine library) {
        return open(settings, roots -> new RequestFileEngine(library, roots));
    }

    private static FileBackend open(FileSettings settings, Function<List<FileRoot>, FileEngine> engine) {
        List<FileRoot> opened = new ArrayList<>();
        try {
            for (Path directory : settings.directories()) {
                FileRoot root = FileRoot.open(directory, settings);
                opened.add(root);
                requireApart(settings, opened, directory);
            }
            List<FileRoot> roots = List.copyOf(opened);
            return new FileBackend(settings, roots, engine.apply(roots));
        } catch (RuntimeException failed) {
            BoundedClose.within(CLEAN_UP_NANOS, settings.store() + "-close", () -> opened.forEach(FileRoot::close));
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
        return engine.openLane(this);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes) {
        return openPool(name, count, slotBytes, PoolLayout.SLAB);
    }

    @Override
    public SlotPool openPool(String name, int count, int slotBytes, PoolLayout layout) {
        requireOpen();
        pools.removeIf(pool -> !pool.isOpen());
        FileSlotPool pool = FileSlotPool.open(this, new PoolForm(name, count, slotBytes, layout));
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

    @Override
    public void sweep(long deadline) {
        requireOpen();
        roots.forEach(root -> root.sweep(deadline));
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

    /**
     * Waits at most five seconds for running batches, then two for forgetting what is staged, closing the pools and removing its
     * temporaries. A file system that does not answer keeps the rest for the next start.
     */
    @Override
    public void close() {
        if (!active.close()) {
            return;
        }
        engine.stop();
        active.await(System.nanoTime() + CLOSE_NANOS);
        if (!BoundedClose.within(CLEAN_UP_NANOS, settings.store() + "-close", this::cleanUp)) {
            LOG.warn(
                    "{}: the file system did not answer within {} s of close; temporaries that remain are swept by the next start",
                    settings.store(),
                    TimeUnit.NANOSECONDS.toSeconds(CLEAN_UP_NANOS));
        }
    }

    private void cleanUp() {
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
