package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code <name>.files}, a folder with a file {@code obj_<slot>_<id>.bin} for each slot; LMCache's pools have such names too. The id
 * stands in the lock file, so that files of another pool are never taken for slots of this one.
 */
record SlotFolder(FileRoot root, Path path, PoolForm form, UUID id) implements PoolPlace {
    static final String SUFFIX = ".files";
    private static final Logger LOG = LoggerFactory.getLogger(SlotFolder.class);

    @Override
    public String described() {
        return form.geometry() + " " + id;
    }

    private String nameOf(int slot) {
        return "obj_" + slot + "_" + id + ".bin";
    }

    @Override
    public void make() throws IOException {
        Path half = path.resolveSibling(path.getFileName() + ".new");
        remove(half);
        try {
            root.directories().make(half);
            for (int slot = 0; slot < form.count(); slot++) {
                PoolPlace.fill(half.resolve(nameOf(slot)), form.slotBytes(), root, false);
            }
            // the data of all is on its way, so one commit of the file system's journal serves many
            for (int slot = 0; slot < form.count(); slot++) {
                try (FileChannel file = FileChannel.open(half.resolve(nameOf(slot)), StandardOpenOption.WRITE)) {
                    file.force(false);
                }
            }
            Directories.force(half);
            Files.move(half, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            remove(half);
        }
        root.directories().sync(path.getParent());
    }

    @Override
    public String problem() {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "" : "it is not a folder";
    }

    @Override
    public List<PoolFile> open(TransferCounters counters, boolean kept) throws IOException {
        List<PoolFile> files = new ArrayList<>(form.count());
        int lost = 0;
        try {
            for (int slot = 0; slot < form.count(); slot++) {
                Path file = path.resolve(nameOf(slot));
                if (!isWhole(file)) {
                    lost++;
                    files.add(PoolFile.lost(file, root.directIo(), counters, this::restore));
                } else if (kept) {
                    files.add(PoolFile.open(file, root.directIo(), counters));
                } else {
                    files.add(PoolFile.later(file, root.directIo(), counters));
                }
            }
        } catch (IOException | RuntimeException failed) {
            for (PoolFile file : files) {
                file.close();
            }
            throw failed;
        }
        if (lost > 0) {
            LOG.warn(
                    "{}: {} of {} slot files are missing or cut short; their slots are empty",
                    path,
                    lost,
                    form.count());
        }
        return files;
    }

    private boolean isWhole(Path file) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() && found.size() == form.slotBytes();
        } catch (NoSuchFileException missing) {
            return false;
        }
    }

    private void restore(Path file) throws IOException {
        Files.deleteIfExists(file);
        PoolPlace.fill(file, form.slotBytes(), root, true);
        Directories.force(path);
    }

    @Override
    public void remove() throws IOException {
        remove(path);
    }

    /** Only what is a pool's; a folder with other things in it stays, and says so. */
    private static void remove(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "obj_*.bin")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
