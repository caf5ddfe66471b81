package io.nixlkv.host.cleaner;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Makes one process the cleaner of a directory, for one model and layout: a locked file in the directory's folder {@code .nixlkv}. The
 * system ends the lock with the process, however that ends, and another process that asks gets it.
 *
 * <p>The system also drops a process's lock when the process closes any other descriptor of the file, as another store of the same
 * process does when it is closed. Therefore the lock is taken anew before each pass; at worst another process leads from then on. Where
 * no lock can be had because the file system is full or has none, cleaning matters more than being alone: two cleaners at once check
 * the same file systems and stop at the same mark. Not thread-safe.
 */
final class LeaderLock implements AutoCloseable {
    private static final int MOST_TEXT = 200;

    private final List<Seat> seats = new ArrayList<>();
    private final String scope;
    private String state = "not yet decided";

    /**
     * @param directories of the store
     * @param scope what leaders of a directory have in common
     */
    LeaderLock(List<Path> directories, String scope) {
        this.scope = scope;
        UUID id = UUID.nameUUIDFromBytes(scope.getBytes(StandardCharsets.UTF_8));
        directories.stream()
                .sorted()
                .forEach(directory -> seats.add(
                        new Seat(directory, directory.resolve(".nixlkv").resolve("cleaner-" + id + ".lock"))));
    }

    /**
     * Takes the lock of each directory, or takes it anew. The directories come in the same order in every process and the first
     * refusal ends it, so that stores of the same directories have one leader.
     *
     * @return the directories that this process leads now
     */
    List<Path> renew() {
        List<Path> led = new ArrayList<>();
        List<String> unlocked = new ArrayList<>();
        for (Seat seat : seats) {
            try {
                if (!seat.take()) {
                    state = (led.isEmpty() ? "no: " : "in part: ") + seat.directory + " is led by " + seat.holder;
                    return led;
                }
            } catch (IOException none) {
                unlocked.add(none.toString());
            }
            led.add(seat.directory);
        }
        state = unlocked.isEmpty() ? "yes" : "yes, without a lock: " + unlocked.get(0);
        return led;
    }

    /** Whether this process leads, and who else does, for people. */
    String state() {
        return state;
    }

    private final class Seat {
        private final Path directory;
        private final Path file;
        private FileChannel channel;
        private Object opened;
        private FileLock lock;
        private String holder = "";

        Seat(Path directory, Path file) {
            this.directory = directory;
            this.file = file;
        }

        /** @throws IOException if the file system has no lock to give */
        boolean take() throws IOException {
            if (channel != null && !identity().equals(opened)) {
                close(); // somebody removed the file; whoever comes next locks another one
            }
            if (channel == null) {
                Files.createDirectories(file.getParent());
                channel = FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                opened = identity();
            }
            if (lock != null) {
                lock.release();
                lock = null;
            }
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException anotherStore) {
                holder = "another store of this process";
                return false;
            }
            if (lock == null) {
                holder = read();
                return false;
            }
            sign();
            return true;
        }

        private Object identity() throws IOException {
            try {
                return String.valueOf(
                        Files.readAttributes(file, BasicFileAttributes.class).fileKey());
            } catch (NoSuchFileException removed) {
                return "";
            }
        }

        /** Through this very descriptor: closing another one would drop the lock of another store of this process. */
        private String read() throws IOException {
            ByteBuffer text = ByteBuffer.allocate(MOST_TEXT);
            channel.read(text, 0);
            String known = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
            return known.isEmpty() ? "another process" : known;
        }

        private void sign() {
            String text = "process " + ProcessHandle.current().pid() + " (" + scope + ")\n";
            try {
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            } catch (IOException full) {
                holder = ""; // the text is for people only
            }
        }

        void close() throws IOException {
            FileChannel closing = channel;
            channel = null;
            lock = null;
            if (closing != null) {
                closing.close();
            }
        }
    }

    /** Lets go of the directories; the files stay, since removing them could split those who wait for them. */
    @Override
    public void close() throws IOException {
        for (Seat seat : seats) {
            seat.close();
        }
    }
}
