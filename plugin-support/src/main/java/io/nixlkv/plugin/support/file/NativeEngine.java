package io.nixlkv.plugin.support.file;

import io.nixlkv.nativeio.FileTransfers;
import io.nixlkv.nativeio.NativeException;
import io.nixlkv.nativeio.TransferLane;
import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The native engines. */
final class NativeEngine implements FileEngine {
    private final NativeSettings settings;
    private final List<FileRoot> roots;
    private final FileTransfers transfers;
    private final Map<String, String> facts = new ConcurrentHashMap<>();

    private NativeEngine(NativeSettings settings, List<FileRoot> roots, FileTransfers transfers) {
        this.settings = settings;
        this.roots = roots;
        this.transfers = transfers;
    }

    /** @throws StorageException naming what native code cannot open; nothing is left open */
    static NativeEngine open(NativeSettings settings, List<FileRoot> roots, MemoryArena arena) {
        FileTransfers transfers = new FileTransfers(settings.kind(), settings.submitters(), settings.queueDepth());
        try {
            NativeEngine engine = new NativeEngine(settings, roots, transfers);
            for (int i = 0; i < arena.segments(); i++) {
                transfers.addSegment(arena.segment(i));
            }
            roots.forEach(engine::add);
            return engine;
        } catch (NativeException failed) {
            transfers.close();
            throw new StorageException(
                    Status.FAILED, "engine " + settings.engine() + ": " + failed.getMessage(), failed);
        } catch (RuntimeException failed) {
            transfers.close();
            throw failed;
        }
    }

    private void add(FileRoot root) {
        int ways = transfers.addRoot(
                root.path().toString(),
                root.temporaries().toString(),
                root.modes().file(),
                root.modes().directory(),
                root.directIo().block());
        facts.put("publication[" + root.path() + "]", describe(ways, root));
    }

    private static String describe(int ways, FileRoot root) {
        if ((ways & FileTransfers.UNNAMED) != 0) {
            return "unnamed temporary and link";
        }
        if ((ways & FileTransfers.NO_REPLACE) != 0) {
            return "named temporary and rename without replacing";
        }
        return (ways & FileTransfers.HARD_LINK) != 0 ? "named temporary and link" : root.describePublication();
    }

    @Override
    public Lane openLane(FileBackend backend) {
        try {
            TransferLane lane = transfers.openLane();
            if (lane.registration() > 0) {
                facts.put("arena_registered", "no: " + NativeEngines.registrationRefused(lane.registration()));
            } else if (lane.registration() == 0) {
                facts.put("arena_registered", "yes");
            }
            return new NativeFileLane(backend, lane);
        } catch (NativeException refused) {
            throw new StorageException(
                    Status.UNAVAILABLE,
                    "engine " + settings.engine() + ": " + NativeEngines.refusal(settings.kind(), refused.errno()),
                    refused);
        }
    }

    @Override
    public boolean keepsSlotFiles() {
        return true;
    }

    @Override
    public long openPool(PoolForm form, List<PoolFile> files) {
        try {
            return transfers.openPool(
                    form.count(),
                    form.slotBytes(),
                    files.stream()
                            .map(file -> new FileTransfers.PoolFile(
                                    file.isLost() ? "" : file.path().toString(),
                                    file.directIo().block()))
                            .toList());
        } catch (NativeException failed) {
            FileFailure failure = FileFailure.ofErrno(failed.errno());
            throw new StorageException(failure.status(), failure.sentence(failed.getMessage()), failed);
        }
    }

    @Override
    public void closePool(long handle) {
        transfers.closePool(handle);
    }

    @Override
    public long stage(Staged object) {
        throw new IllegalStateException("native code stages its objects itself");
    }

    @Override
    public Staged takeStaged(long token) {
        return transfers
                .takeStaged(token)
                .map(staged -> {
                    FileRoot root = roots.get(staged.root());
                    Path temporary = root.temporaries().resolve(staged.temporary());
                    return new Staged(root, staged.name(), temporary, staged.length());
                })
                .orElse(null);
    }

    @Override
    public Map<String, String> facts() {
        return new LinkedHashMap<>(facts);
    }

    @Override
    public void stop() {
        transfers.stop();
    }

    @Override
    public void close() {
        transfers.close();
    }
}
