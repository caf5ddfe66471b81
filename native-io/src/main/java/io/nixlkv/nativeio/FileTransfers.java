package io.nixlkv.nativeio;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The native half of a file backend: directories, pools and staged objects, shared by its lanes. It is filled ({@link #addSegment},
 * {@link #addRoot}) before the first lane opens. Thread-safe.
 */
public final class FileTransfers implements AutoCloseable {
    /** How bytes move. The order is that of the native code. */
    public enum Kind {
        /** pread and pwrite by the lane's thread and helpers. */
        THREADS,
        /** io_uring, a ring for each lane. */
        URING,
        /** Linux AIO, a context for each lane. */
        AIO,
        /** The C library's aio. */
        POSIX_AIO;

        /** The errno with which the system refuses this kind to the process; 0 if it works. */
        public int problem() {
            NativeIo.require();
            return NativeCalls.engineProblem(ordinal());
        }
    }

    /** Bits of {@link #addRoot}'s answer. */
    public static final int UNNAMED = 1;

    /** Hard links from named temporaries. */
    public static final int HARD_LINK = 2;

    /** Renaming without replacing. */
    public static final int NO_REPLACE = 4;

    /** A staged object that native code gave back. */
    public record Staged(int root, String name, String temporary, int length) {}

    /**
     * A file of a pool.
     *
     * @param path empty for a slot that was lost: its items are left to Java
     * @param block alignment of direct I/O, 0 for none
     */
    public record PoolFile(String path, int block) {}

    private static final int STAGED_BYTES = 8192;
    private static final int STAGED_HEAD = 16;

    private long handle;
    private final List<ByteBuffer> segments = new ArrayList<>();

    /**
     * @param submitters most threads that work for {@link Kind#THREADS} while fewer lanes are busy
     * @param queueDepth most requests in flight in a lane of the other kinds
     */
    public FileTransfers(Kind kind, int submitters, int queueDepth) {
        NativeIo.require();
        handle = NativeException.check(
                NativeCalls.backendOpen(kind.ordinal(), submitters, queueDepth), "cannot open engine " + kind);
    }

    /** Adds the next arena segment, a direct buffer that stays where it is until all lanes are closed. */
    public synchronized void addSegment(ByteBuffer segment) {
        NativeException.check(
                NativeCalls.segmentAdd(handle, NativeIo.address(segment), segment.capacity()),
                "cannot use an arena segment");
        segments.add(segment);
    }

    /**
     * Adds the next directory.
     *
     * @param temporaries existing folder on the same file system
     * @param block alignment of direct I/O, 0 for none
     * @return which publications work there, bits
     * @throws NativeException if it cannot be opened
     */
    public synchronized int addRoot(String path, String temporaries, int fileMode, int directoryMode, int block) {
        try (NativeText root = NativeText.of(path);
                NativeText workplace = NativeText.of(temporaries)) {
            return (int) NativeException.check(
                    NativeCalls.rootAdd(handle, root.address(), workplace.address(), fileMode, directoryMode, block),
                    "cannot open " + path);
        }
    }

    /**
     * Opens the files of a pool.
     *
     * @param files one for each root in order, with all slots; or, root by root, one for each slot
     * @return the number by which a packed batch names the pool
     * @throws NativeException if a file cannot be opened; nothing is left open
     */
    public synchronized long openPool(int count, int slotBytes, List<PoolFile> files) {
        long pool = NativeException.check(NativeCalls.poolNew(count, slotBytes), "cannot open a pool");
        try {
            for (PoolFile file : files) {
                try (NativeText path = NativeText.of(file.path())) {
                    NativeException.check(
                            NativeCalls.poolFile(pool, path.address(), file.block()), "cannot open " + file.path());
                }
            }
            return NativeException.check(NativeCalls.poolReady(handle, pool), "cannot open a pool");
        } catch (NativeException failed) {
            NativeCalls.poolDrop(pool);
            throw failed;
        }
    }

    /** Closes a pool's files as soon as no running batch uses them. Nothing happens for an unknown number. */
    public synchronized void closePool(long pool) {
        if (handle != 0) {
            NativeCalls.poolClose(handle, pool);
        }
    }

    /** Spends a token of a staged object; empty if there is no such token. */
    public synchronized Optional<Staged> takeStaged(long token) {
        if (handle == 0) {
            return Optional.empty();
        }
        ByteBuffer into = DirectBuffers.allocate(STAGED_BYTES);
        if (NativeCalls.stagedTake(handle, token, DirectBuffers.address(into), STAGED_BYTES) != 0) {
            return Optional.empty();
        }
        byte[] name = new byte[into.getInt(8)];
        byte[] temporary = new byte[into.getInt(12)];
        into.get(STAGED_HEAD, name).get(STAGED_HEAD + name.length, temporary);
        return Optional.of(new Staged(
                into.getInt(0),
                new String(name, StandardCharsets.UTF_8),
                new String(temporary, StandardCharsets.UTF_8),
                into.getInt(4)));
    }

    /**
     * Opens a lane, owned by the caller.
     *
     * @throws NativeException if the kernel refuses its queue
     */
    public synchronized TransferLane openLane() {
        if (handle == 0) {
            throw new IllegalStateException("closed");
        }
        return new TransferLane(NativeException.check(NativeCalls.laneOpen(handle), "cannot open a lane"), segments);
    }

    /** Makes running batches refuse every item that they have not begun. */
    public synchronized void stop() {
        if (handle != 0) {
            NativeCalls.backendStop(handle);
        }
    }

    /** Forgets what is staged and closes. Lanes that are still open live on, stopped, until they are closed. Idempotent. */
    @Override
    public synchronized void close() {
        if (handle != 0) {
            NativeCalls.backendClose(handle);
            handle = 0;
        }
    }
}
