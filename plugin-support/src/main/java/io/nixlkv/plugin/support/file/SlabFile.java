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
 * The open file with all slots of a pool under one root. Thread-safe. A channel that an interrupt closed is opened again: who was
 * interrupted and who shared the channel gets {@link ClosedChannelException} and may run again.
 */
final class SlabFile implements AutoCloseable {
    private static final Set<OpenOption> BUFFERED = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> DIRECT =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);

    private final Path path;
    private final DirectIo directIo;
    private final TransferCounters counters;
    private volatile FileChannel buffered;
    private volatile FileChannel direct;
    private boolean closed;

    SlabFile(Path path, DirectIo directIo, TransferCounters counters) throws IOException {
        this.path = path;
        this.directIo = directIo;
        this.counters = counters;
        buffered = FileChannel.open(path, BUFFERED);
        try {
            direct = directIo.usable() ? FileChannel.open(path, DIRECT) : null;
        } catch (IOException failed) {
            buffered.close();
            throw failed;
        }
    }

    Path path() {
        return path;
    }

    DirectIo directIo() {
        return directIo;
    }

    ChunkedIo.End write(ByteBuffer slice, long position, long deadline) throws IOException {
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
        channel(false).force(false);
    }

    private FileChannel channel(boolean bypass) throws IOException {
        FileChannel channel = bypass ? direct : buffered;
        return channel.isOpen() ? channel : reopened(bypass);
    }

    private synchronized FileChannel reopened(boolean bypass) throws IOException {
        if (closed) {
            throw new IOException("the pool is closed");
        }
        FileChannel channel = bypass ? direct : buffered;
        if (!channel.isOpen()) {
            channel = FileChannel.open(path, bypass ? DIRECT : BUFFERED);
            if (bypass) {
                direct = channel;
            } else {
                buffered = channel;
            }
        }
        return channel;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            buffered.close();
        } finally {
            if (direct != null) {
                direct.close();
            }
        }
    }
}
