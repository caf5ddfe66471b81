package io.nixlkv.plugin.support.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * An open file of a pool: with all slots under one root, or with one slot. Thread-safe. A channel that an interrupt closed is opened
 * again: who was interrupted and who shared the channel gets {@link ClosedChannelException} and may run again.
 */
final class PoolFile implements AutoCloseable {
    /** Makes a lost file anew. */
    @FunctionalInterface
    interface Restoring {
        void make(Path file) throws IOException;
    }

    private static final Set<OpenOption> BUFFERED = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> DIRECT =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);

    private final Path path;
    private final DirectIo directIo;
    private final TransferCounters counters;
    private final Restoring restoring;
    private volatile FileChannel buffered;
    private volatile FileChannel direct;
    private volatile boolean lost;
    private boolean closed;

    private PoolFile(Path path, DirectIo directIo, TransferCounters counters, Restoring restoring) {
        this.path = path;
        this.directIo = directIo;
        this.counters = counters;
        this.restoring = restoring;
        lost = restoring != null;
    }

    /** A file that is open from now on. */
    static PoolFile open(Path path, DirectIo directIo, TransferCounters counters) throws IOException {
        PoolFile file = later(path, directIo, counters);
        try {
            file.buffered = FileChannel.open(path, BUFFERED);
            file.direct = directIo.usable() ? FileChannel.open(path, DIRECT) : null;
            return file;
        } catch (IOException failed) {
            file.close();
            throw failed;
        }
    }

    /** A file that native code has open; this opens it when pure Java has to transfer something. */
    static PoolFile later(Path path, DirectIo directIo, TransferCounters counters) {
        return new PoolFile(path, directIo, counters, null);
    }

    /** A file that is gone, or is not what was made: {@code restoring} makes it before the first write. */
    static PoolFile lost(Path path, DirectIo directIo, TransferCounters counters, Restoring restoring) {
        return new PoolFile(path, directIo, counters, restoring);
    }

    Path path() {
        return path;
    }

    DirectIo directIo() {
        return directIo;
    }

    /** Whether there is nothing to read, since nothing was written yet after the file was lost. */
    boolean isLost() {
        return lost;
    }

    ChunkedIo.End write(ByteBuffer slice, long position, long deadline) throws IOException {
        if (lost) {
            restore();
        }
        boolean bypass = directIo.fits(slice, position);
        ChunkedIo.End end = ChunkedIo.write(channel(bypass), slice, position, deadline);
        if (end == ChunkedIo.End.WHOLE) {
            counters.wrote(slice.capacity(), bypass);
        }
        return end;
    }

    ChunkedIo.End read(ByteBuffer slice, long position, long deadline) throws IOException {
        boolean bypass = directIo.fits(slice, position);
        ChunkedIo.End end = ChunkedIo.read(channel(bypass), slice, position, deadline);
        if (end == ChunkedIo.End.WHOLE) {
            counters.read(slice.capacity(), bypass);
        }
        return end;
    }

    /** Brings all that was written to stable storage. */
    void force() throws IOException {
        if (buffered != null) {
            channel(false).force(false);
            return;
        }
        try (FileChannel once = FileChannel.open(path, BUFFERED)) {
            once.force(false);
        }
    }

    private synchronized void restore() throws IOException {
        if (lost) {
            requireOpen();
            restoring.make(path);
            lost = false;
        }
    }

    private FileChannel channel(boolean bypass) throws IOException {
        FileChannel channel = bypass ? direct : buffered;
        return channel != null && channel.isOpen() ? channel : reopened(bypass);
    }

    private synchronized FileChannel reopened(boolean bypass) throws IOException {
        requireOpen();
        FileChannel channel = bypass ? direct : buffered;
        if (channel == null || !channel.isOpen()) {
            channel = FileChannel.open(path, bypass ? DIRECT : BUFFERED);
            if (bypass) {
                direct = channel;
            } else {
                buffered = channel;
            }
        }
        return channel;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the pool is closed");
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            if (buffered != null) {
                buffered.close();
            }
        } finally {
            if (direct != null) {
                direct.close();
            }
        }
    }
}
