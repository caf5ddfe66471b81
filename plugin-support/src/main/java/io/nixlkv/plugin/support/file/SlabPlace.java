package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** {@code <name>.slab}, one file with all slots. */
record SlabPlace(FileRoot root, Path path, PoolForm form) implements PoolPlace {
    static final String SUFFIX = ".slab";

    @Override
    public String described() {
        return form.geometry();
    }

    private long bytes() {
        return (long) form.count() * form.slotBytes();
    }

    @Override
    public void make() throws IOException {
        Path half = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(half);
        try {
            PoolPlace.fill(half, bytes(), root, true);
            Files.move(half, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(half);
        }
        root.directories().sync(path.getParent());
    }

    @Override
    public String problem() throws IOException {
        long found = Files.size(path);
        return found == bytes() ? "" : "it has " + found + " bytes";
    }

    @Override
    public List<PoolFile> open(TransferCounters counters, boolean kept) throws IOException {
        return List.of(PoolFile.open(path, root.directIo(), counters));
    }

    @Override
    public void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
