package io.nixlkv.plugin.support.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Moves whole objects between slices and files. Thread-safe. */
final class ObjectFiles {
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final Set<OpenOption> NEW_DIRECT =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, ExtendedOpenOption.DIRECT);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> READ_DIRECT =
            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS, ExtendedOpenOption.DIRECT);

    /** Answers of {@link #read} that are not a stored length. */
    static final long WHOLE = -1;

    static final long EXPIRED = -2;

    static final long NO_FILE = -3;

    private final TransferCounters counters;

    ObjectFiles(TransferCounters counters) {
        this.counters = counters;
    }

    /**
     * Writes {@code slice} into a new temporary.
     *
     * @param durable whether the data is on stable storage afterwards
     * @return the temporary; {@code null} if the deadline passed
     * @throws IOException if it failed; the temporary is gone
     */
    Path write(FileRoot root, ByteBuffer slice, boolean durable, long deadline) throws IOException {
        root.enter();
        boolean direct = root.directIo().fits(slice, 0);
        try {
            return write(root, slice, direct, durable, deadline);
        } catch (NoSuchFileException folderRemoved) {
            root.restoreTemporaries();
        } catch (ClosedChannelException interrupted) {
            throw interrupted;
        } catch (IOException refused) {
            if (!direct || !FileFailure.of(refused).refusedForm()) {
                throw refused;
            }
            direct = false;
        }
        return write(root, slice.clear(), direct, durable, deadline);
    }

    private Path write(FileRoot root, ByteBuffer slice, boolean direct, boolean durable, long deadline)
            throws IOException {
        Path temporary = root.nextTemporary();
        boolean whole = false;
        try (FileChannel channel = FileChannel.open(temporary, direct ? NEW_DIRECT : NEW, root.fileMode())) {
            if (ChunkedIo.write(channel, slice, 0, deadline) == ChunkedIo.End.WHOLE) {
                if (durable) {
                    channel.force(false);
                }
                whole = true;
            }
        } catch (IOException | RuntimeException failed) {
            temporary.toFile().delete();
            throw failed;
        }
        if (!whole) {
            temporary.toFile().delete();
            return null;
        }
        counters.wrote(slice.capacity(), direct);
        return temporary;
    }

    /**
     * Fills {@code slice} from the object, whose length must be the slice's.
     *
     * @return {@link #WHOLE}, {@link #EXPIRED}, {@link #NO_FILE}, or the stored length that is not the slice's
     */
    long read(FileRoot root, Path object, ByteBuffer slice, long deadline) throws IOException {
        if (object.toFile().length() == 0) {
            // opening a FIFO would wait for somebody to write to it
            return StoredObject.length(object.toFile()) == StoredObject.FOREIGN ? NO_FILE : StoredObject.ABSENT;
        }
        boolean direct = root.directIo().fits(slice, 0);
        try {
            return read(object, slice, direct, deadline);
        } catch (ClosedChannelException interrupted) {
            throw interrupted;
        } catch (IOException refused) {
            if (!direct || !FileFailure.of(refused).refusedForm()) {
                throw refused;
            }
        }
        return read(object, slice.clear(), false, deadline);
    }

    private long read(Path object, ByteBuffer slice, boolean direct, long deadline) throws IOException {
        int length = slice.capacity();
        try (FileChannel channel = FileChannel.open(object, direct ? READ_DIRECT : READ)) {
            long stored = channel.size();
            if (stored != length) {
                return stored;
            }
            ChunkedIo.End end = ChunkedIo.read(channel, slice, 0, deadline);
            if (end == ChunkedIo.End.TRUNCATED) {
                return slice.position();
            }
            if (end == ChunkedIo.End.EXPIRED) {
                return EXPIRED;
            }
        }
        counters.read(length, direct);
        return WHOLE;
    }
}
