package io.nixlkv.host.cleaner;

import io.nixlkv.api.KvKey;
import io.nixlkv.host.cleaner.Inventory.Folder;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Removes groups of objects whole: all files of a group or none, as far as the file system lets it. A group that somebody counts
 * on, or that was used since it was surveyed, stays. Not thread-safe.
 */
final class Removal implements AutoCloseable {
    /** Nothing can be deleted here if so many attempts in a row failed. */
    private static final int HOPELESS = 100;

    /** One file of a group that is about to go. */
    record Victim(Folder folder, String name, long bytes, long lastUse, KvKey key) {}

    private final CleaningTask task;
    private final CleaningWatch watch;
    private final Consumer<Victim> freed;
    private final OpenFolders folders;
    private long objects;
    private long bytes;
    private long groups;
    private long leased;
    private long changed;
    private long failed;
    private int failedInARow;
    private String firstFailure = "";

    /** @param freed is told about each file whose space is free now, also if somebody else deleted it */
    Removal(CleaningTask task, CleaningWatch watch, Consumer<Victim> freed) {
        this.task = task;
        this.watch = watch;
        this.freed = freed;
        folders = new OpenFolders(task.directories());
    }

    /** What counts as the last use of a file: reading, where the mount keeps that, else writing. */
    static long lastUse(BasicFileAttributes attributes) {
        return Math.max(
                attributes.lastAccessTime().toMillis(),
                attributes.lastModifiedTime().toMillis());
    }

    /** Removes a group, or, in a dry run, only reckons; true if something went. */
    boolean remove(Inventory inventory, int group) {
        List<Victim> victims = new ArrayList<>();
        for (int file = inventory.firstOf(group); file >= 0; file = inventory.nextOf(file)) {
            Folder folder = inventory.folderOf(file);
            String name = inventory.nameOf(file);
            KvKey key = task.ownership().key(folder.prefix() + name).orElseThrow();
            victims.add(new Victim(folder, name, inventory.bytesOf(file), inventory.lastUseOf(file), key));
        }
        if (victims.stream().anyMatch(victim -> watch.leased(victim.key()))) {
            leased++;
            return false;
        }
        if (!task.dryRun() && !isUntouched(victims)) {
            return false;
        }
        long before = objects;
        victims.forEach(this::remove);
        groups += objects > before ? 1 : 0;
        return objects > before;
    }

    private boolean isUntouched(List<Victim> victims) {
        for (Victim victim : victims) {
            try {
                BasicFileAttributes now = folders.attributes(victim.folder(), victim.name());
                if (!now.isRegularFile() || lastUse(now) != victim.lastUse()) {
                    changed++;
                    return false;
                }
            } catch (NoSuchFileException vanished) {
                continue; // its space is reckoned when it cannot be deleted
            } catch (IOException refused) {
                failed(victim, refused);
                return false;
            }
        }
        return true;
    }

    private void remove(Victim victim) {
        try {
            if (!task.dryRun()) {
                folders.delete(victim.folder(), victim.name());
                watch.gone(victim.key());
            }
            objects++;
            bytes += victim.bytes();
            failedInARow = 0;
            freed.accept(victim);
        } catch (NoSuchFileException vanished) {
            freed.accept(victim);
        } catch (IOException refused) {
            failed(victim, refused);
        }
    }

    private void failed(Victim victim, IOException failure) {
        failed++;
        failedInARow++;
        if (firstFailure.isEmpty()) {
            firstFailure = victim.folder().prefix() + victim.name() + ": " + failure;
        }
    }

    /** Whether it is no use to go on. */
    boolean isHopeless() {
        return failedInARow >= HOPELESS;
    }

    long objects() {
        return objects;
    }

    long bytes() {
        return bytes;
    }

    long groups() {
        return groups;
    }

    long leased() {
        return leased;
    }

    long changed() {
        return changed;
    }

    long failed() {
        return failed;
    }

    String firstFailure() {
        return firstFailure;
    }

    @Override
    public void close() throws IOException {
        folders.close();
    }
}
