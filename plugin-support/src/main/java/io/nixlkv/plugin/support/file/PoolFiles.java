package io.nixlkv.plugin.support.file;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A pool's files under one root: a {@link PoolPlace} with the slots, and {@code <name>.lock}, locked while it is open, which says
 * {@code <count> <slotBytes>}, and for a folder its id. The lock is not on files of slots, since an interrupt closes their channels
 * and would drop it.
 */
final class PoolFiles implements AutoCloseable {
    private static final Set<OpenOption> LOCK_FILE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    private static final int GEOMETRY_BYTES = 96;

    private final PoolClaim claim;
    private final FileChannel lock;
    private PoolPlace place;
    private List<PoolFile> files = List.of();
    private boolean made;

    private PoolFiles(PoolClaim claim, FileChannel lock) {
        this.claim = claim;
        this.lock = lock;
    }

    /**
     * @param kept whether pure Java keeps the files open, instead of native code
     * @throws StorageException if the pool is open elsewhere, has another geometry or layout, or cannot be made
     */
    static PoolFiles open(FileRoot root, PoolForm form, TransferCounters counters, boolean kept) {
        Path slots = root.path()
                .resolve(ObjectNames.RESERVED)
                .resolve(PoolClaim.FOLDER)
                .resolve(form.name() + (form.separate() ? SlotFolder.SUFFIX : SlabPlace.SUFFIX));
        try {
            Path pools = root.pools();
            PoolFiles opened = locked(root, pools, form.name(), slots);
            try {
                opened.prepare(root, slots, form);
                opened.files = opened.place.open(counters, kept);
                return opened;
            } catch (IOException | RuntimeException failed) {
                try (opened) {
                    opened.removeIfMade();
                }
                throw failed;
            }
        } catch (IOException failed) {
            FileFailure failure = FileFailure.ofWriting(failed, root.path().toFile());
            throw new StorageException(
                    failure.status(), failure.sentence("cannot open the pool file " + slots), failed);
        }
    }

    private static PoolFiles locked(FileRoot root, Path pools, String name, Path slots) throws IOException {
        PoolClaim claim;
        try {
            claim = PoolClaim.take(pools, name, root.modes());
        } catch (FileAlreadyExistsException ours) {
            throw inUse(slots, "this process");
        }
        FileChannel lock = null;
        try {
            lock = FileChannel.open(pools.resolve(name + ".lock"), LOCK_FILE, root.fileMode());
            if (lock.tryLock() == null) {
                throw inUse(slots, "another process");
            }
            return new PoolFiles(claim, lock);
        } catch (IOException | RuntimeException failed) {
            try (claim) {
                if (lock != null) {
                    lock.close();
                }
            }
            throw failed;
        }
    }

    private static StorageException inUse(Path slots, String who) {
        return new StorageException(
                Status.UNAVAILABLE,
                "the pool file " + slots + " is in use by " + who
                        + "; a static pool has one owner: close the other store or give this one another state_dir");
    }

    private void prepare(FileRoot root, Path slots, PoolForm form) throws IOException {
        requireLayout(slots, form);
        if (!Files.exists(slots, LinkOption.NOFOLLOW_LINKS)) {
            made = true;
            place = place(root, slots, form, UUID.randomUUID());
            lock.truncate(0);
            lock.write(ByteBuffer.wrap(place.described().getBytes(StandardCharsets.US_ASCII)), 0);
            lock.force(true);
            place.make();
            return;
        }
        ByteBuffer text = ByteBuffer.allocate(GEOMETRY_BYTES);
        lock.read(text, 0);
        String found = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
        place = place(root, slots, form, form.separate() ? idIn(found) : null);
        String wrong = place.problem();
        if (!found.equals(place.described()) || !wrong.isEmpty()) {
            throw new StorageException(
                    Status.INVALID,
                    "the pool file " + slots + " was made for (slots, bytes of a slot) = (" + found.replace(" ", ", ")
                            + ")" + (wrong.isEmpty() ? "" : " and " + wrong) + ", wanted are (" + form.count() + ", "
                            + form.slotBytes() + "); use its geometry or delete the file");
        }
    }

    private static PoolPlace place(FileRoot root, Path slots, PoolForm form, UUID id) {
        return form.separate() ? new SlotFolder(root, slots, form, id) : new SlabPlace(root, slots, form);
    }

    /** The id that a lock file's text ends with; another one if there is none, which then matches nothing. */
    private static UUID idIn(String text) {
        try {
            return UUID.fromString(text.substring(text.lastIndexOf(' ') + 1));
        } catch (IllegalArgumentException none) {
            return UUID.randomUUID();
        }
    }

    private static void requireLayout(Path slots, PoolForm form) {
        Path other = slots.resolveSibling(form.name() + (form.separate() ? SlabPlace.SUFFIX : SlotFolder.SUFFIX));
        if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
            throw new StorageException(
                    Status.INVALID,
                    "the pool " + other + " was made with pool_layout = "
                            + (form.separate() ? "\"slab\", wanted is \"files\"" : "\"files\", wanted is \"slab\"")
                            + "; use its layout, another directory, or delete it to start empty");
        }
    }

    /** One with all slots, or one for each slot. */
    List<PoolFile> files() {
        return files;
    }

    /** Removes the slots if this opening made them; for a pool of which another root failed. */
    void removeIfMade() throws IOException {
        if (made) {
            place.remove();
        }
    }

    @Override
    public void close() throws IOException {
        try (claim;
                lock) {
            IOException failed = null;
            for (PoolFile file : files) {
                try {
                    file.close();
                } catch (IOException failure) {
                    failed = failure;
                }
            }
            if (failed != null) {
                throw failed;
            }
        }
    }
}
