package io.nixlkv.plugin.support.file;

import io.nixlkv.plugin.support.file.StagedObjects.Staged;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Carries out items that are names. Every item is completed, or handed to {@link PendingSync}, exactly once. One thread. */
final class NamedItems {
    private final FileBackend backend;
    private final ObjectNames names = new ObjectNames();

    NamedItems(FileBackend backend) {
        this.backend = backend;
    }

    /**
     * @param pending where done writes of a durable batch wait; {@code null} if it is not durable
     * @throws ClosedChannelException if an interrupt cut it short; nothing is left of it and it may run again
     */
    void run(TransferBatch batch, int item, PendingSync pending) throws ClosedChannelException {
        switch (batch.op()) {
            case PUBLISH -> publish(batch, item, pending);
            case DISCARD -> discard(batch, item);
            default -> runNamed(batch, item, pending);
        }
    }

    private void runNamed(TransferBatch batch, int item, PendingSync pending) throws ClosedChannelException {
        int number = batch.root(item);
        if (number < 0 || number >= backend.roots()) {
            fail(
                    batch,
                    item,
                    Status.INVALID,
                    0,
                    "there is no directory number " + number + ", only " + backend.roots());
            return;
        }
        FileRoot root = backend.root(number);
        String name = batch.name(item);
        String problem = names.problem(name, root.prefixBytes());
        if (problem != null) {
            fail(batch, item, Status.INVALID, 0, "the name " + Evidence.quoted(name) + " " + problem);
            return;
        }
        Path object = root.resolve(name);
        try {
            root.requireInside(object);
            switch (batch.op()) {
                case WRITE -> write(batch, item, root, object, pending);
                case READ -> read(batch, item, root, object);
                case QUERY -> query(batch, item, object);
                case DELETE -> delete(batch, item, object);
                case STAGE -> stage(batch, item, root, name);
                default -> throw new IllegalArgumentException("not an operation on names: " + batch.op());
            }
        } catch (ClosedChannelException interrupted) {
            throw interrupted;
        } catch (IOException failed) {
            explain(batch, item, root, name, failed);
        }
    }

    private void write(TransferBatch batch, int item, FileRoot root, Path object, PendingSync pending)
            throws IOException {
        int length = batch.length(item);
        if (refusedAsEmpty(batch, item, length)) {
            return;
        }
        if (batch.mode() == Mode.CREATE) {
            long stored = StoredObject.lengthBeforeWriting(object.toFile());
            if (stored != StoredObject.ABSENT) {
                taken(batch, item, root, object, length, stored, pending);
                return;
            }
        }
        Path temporary = backend.files().write(root, batch.slice(item), batch.durable(), batch.deadline());
        if (temporary == null) {
            expired(batch, item);
        } else {
            publish(batch, item, root, object, temporary, length, pending);
        }
    }

    private void stage(TransferBatch batch, int item, FileRoot root, String name) throws IOException {
        int length = batch.length(item);
        if (refusedAsEmpty(batch, item, length)) {
            return;
        }
        Path temporary = backend.files().write(root, batch.slice(item), batch.durable(), batch.deadline());
        if (temporary == null) {
            expired(batch, item);
        } else {
            batch.staged(item, backend.stage(new Staged(root, name, temporary, length)));
        }
    }

    private void publish(TransferBatch batch, int item, PendingSync pending) throws ClosedChannelException {
        Staged staged = backend.takeStaged(batch.token(item));
        if (staged == null) {
            unknownToken(batch, item);
            return;
        }
        FileRoot root = staged.root();
        try {
            publish(batch, item, root, root.resolve(staged.name()), staged.temporary(), staged.length(), pending);
        } catch (IOException failed) {
            explain(batch, item, root, staged.name(), failed);
        }
    }

    private void discard(TransferBatch batch, int item) {
        if (forget(batch.token(item))) {
            batch.complete(item, Status.DONE, -1);
        } else {
            unknownToken(batch, item);
        }
    }

    /** Removes what was staged under {@code token}; false if there is nothing. */
    boolean forget(long token) {
        Staged staged = backend.takeStaged(token);
        if (staged != null) {
            staged.discard();
        }
        return staged != null;
    }

    /**
     * Publishes what another engine wrote under a temporary name for an item of a WRITE.
     *
     * @throws ClosedChannelException if an interrupt cut it short; the temporary is gone
     */
    void publishWritten(TransferBatch batch, int item, Path temporary, PendingSync pending)
            throws ClosedChannelException {
        FileRoot root = backend.root(batch.root(item));
        String name = batch.name(item);
        try {
            publish(batch, item, root, root.resolve(name), temporary, batch.length(item), pending);
        } catch (ClosedChannelException interrupted) {
            throw interrupted;
        } catch (IOException failed) {
            explain(batch, item, root, name, failed);
        }
    }

    private void publish(
            TransferBatch batch, int item, FileRoot root, Path object, Path temporary, int length, PendingSync pending)
            throws IOException {
        boolean published = false;
        try {
            root.requireInside(object);
            if (batch.mode() == Mode.CREATE) {
                long stored = root.publication().create(temporary, object, batch.deadline());
                published = stored == StoredObject.ABSENT;
                if (!published) {
                    taken(batch, item, root, object, length, stored, pending);
                    return;
                }
            } else {
                root.publication().replace(temporary, object);
                published = true;
            }
        } finally {
            if (!published) {
                temporary.toFile().delete();
            }
        }
        stored(batch, item, root, object, Status.DONE, length, pending);
    }

    private void taken(
            TransferBatch batch, int item, FileRoot root, Path object, int length, long stored, PendingSync pending)
            throws IOException {
        if (stored == StoredObject.FOREIGN) {
            fail(batch, item, Status.FAILED, 0, Evidence.foreign(object));
        } else if (stored != length) {
            batch.complete(item, Status.WRONG_SIZE, stored);
        } else {
            if (pending != null) {
                // its writer may not have asked for durability, but this caller relies on it
                try (FileChannel channel = FileChannel.open(object, StandardOpenOption.READ)) {
                    channel.force(false);
                }
            }
            stored(batch, item, root, object, Status.ALREADY_PRESENT, length, pending);
        }
    }

    private static void stored(
            TransferBatch batch, int item, FileRoot root, Path object, Status status, int length, PendingSync pending) {
        if (pending == null) {
            batch.complete(item, status, length);
        } else {
            pending.addEntry(root, object, item, status, length);
        }
    }

    private void read(TransferBatch batch, int item, FileRoot root, Path object) throws IOException {
        int length = batch.length(item);
        if (length < 1) {
            fail(batch, item, Status.INVALID, 0, "a read needs a length of at least 1 byte");
            return;
        }
        long stored = backend.files().read(root, object, batch.slice(item), batch.deadline());
        if (stored == ObjectFiles.WHOLE) {
            batch.complete(item, Status.DONE, length);
        } else if (stored == ObjectFiles.EXPIRED) {
            expired(batch, item);
        } else if (stored == StoredObject.ABSENT) {
            batch.complete(item, Status.MISSING, -1);
        } else if (object.toFile().isFile()) {
            batch.complete(item, Status.WRONG_SIZE, stored);
        } else {
            unreadable(batch, item, object);
        }
    }

    /** A directory that leads to other objects is no object; anything else in an object's place is a failure. */
    private void unreadable(TransferBatch batch, int item, Path object) {
        if (Evidence.leadsToOthers(object)) {
            batch.complete(item, Status.MISSING, -1);
        } else {
            fail(batch, item, Status.FAILED, 0, Evidence.foreign(object));
        }
    }

    private static void query(TransferBatch batch, int item, Path object) throws IOException {
        long stored = StoredObject.length(object.toFile());
        if (stored > 0) {
            batch.complete(item, Status.DONE, stored);
        } else {
            batch.complete(item, Status.MISSING, -1);
        }
    }

    private static void delete(TransferBatch batch, int item, Path object) throws IOException {
        boolean there = StoredObject.length(object.toFile()) > 0;
        if (there && !object.toFile().delete()) {
            // says why, which File does not
            Files.delete(object);
        }
        batch.complete(item, there ? Status.DONE : Status.MISSING, -1);
    }

    private void explain(TransferBatch batch, int item, FileRoot root, String name, IOException failed) {
        Path object = root.resolve(name);
        if (failed instanceof OutsideException) {
            String doing = "cannot " + Evidence.verb(batch.op()) + " " + Evidence.quoted(name) + " in " + root.path();
            FileFailure failure = FileFailure.of(failed);
            fail(batch, item, failure.status(), failure.errno(), failure.sentence(doing));
            return;
        }
        boolean writing = switch (batch.op()) {
            case WRITE, STAGE, PUBLISH, DISCARD -> true;
            case READ, QUERY, DELETE -> false;
        };
        if (!writing && (failed instanceof NoSuchFileException || Evidence.fileAmongParents(root, object) != null)) {
            batch.complete(item, Status.MISSING, -1);
            return;
        }
        if (Evidence.isForeign(object)) {
            if (writing) {
                fail(batch, item, Status.FAILED, 0, Evidence.foreign(object));
            } else {
                unreadable(batch, item, object);
            }
            return;
        }
        Path file = Evidence.fileAmongParents(root, object);
        FileFailure failure = file == null
                ? FileFailure.ofWriting(failed, root.path().toFile())
                : FileFailure.of(new NotDirectoryException(file.toString()));
        String doing = "cannot " + Evidence.verb(batch.op()) + " " + Evidence.quoted(name) + " in " + root.path();
        fail(batch, item, failure.status(), failure.errno(), failure.sentence(doing));
    }

    private boolean refusedAsEmpty(TransferBatch batch, int item, int length) {
        if (length < 1) {
            fail(batch, item, Status.INVALID, 0, "an object needs at least 1 byte; empty objects count as absent");
            return true;
        }
        return false;
    }

    private void unknownToken(TransferBatch batch, int item) {
        fail(batch, item, Status.INVALID, 0, "nothing is staged under token " + batch.token(item));
    }

    private static void expired(TransferBatch batch, int item) {
        batch.fail(item, Status.TIMED_OUT, 0, "the deadline passed during the transfer");
    }

    private void fail(TransferBatch batch, int item, Status status, int errno, String sentence) {
        backend.counters().failed();
        batch.fail(item, status, errno, sentence);
    }
}
