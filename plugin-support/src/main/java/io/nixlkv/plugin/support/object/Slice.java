package io.nixlkv.plugin.support.object;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

/**
 * The arena memory of one item, behind a gate: once it is shut, no stream, subscriber or late request can read or write it. That
 * is what makes the lane's return a fence without waiting for a connection to die. Thread-safe.
 */
public final class Slice {
    /** Bytes that are copied at a time, and the size of a buffer that suits {@link #fill}. */
    public static final int CHUNK = 64 << 10;

    private final int length;
    private ByteBuffer memory;

    /** @param memory a view of exactly the item's bytes, not used by anybody else */
    public Slice(ByteBuffer memory) {
        this.memory = memory;
        length = memory.remaining();
    }

    /** Bytes of the slice. */
    public int length() {
        return length;
    }

    /** A new stream over all bytes, for one attempt; it can be marked and reset. */
    public InputStream input() {
        return input(0, length);
    }

    /** A new stream over {@code count} bytes at {@code from}. */
    public InputStream input(int from, int count) {
        return new SliceInput(this, from, count);
    }

    /**
     * Feeds {@code count} bytes at {@code from} to a checksum.
     *
     * @throws IOException if the gate is shut
     */
    public synchronized void feed(Checksum sum, int from, int count) throws IOException {
        sum.update(open().slice(from, count));
    }

    /** Copies {@code count} bytes at {@code at} out of the slice. */
    synchronized void copyOut(int at, byte[] target, int offset, int count) throws IOException {
        open().get(at, target, offset, count);
    }

    /**
     * Copies {@code count} bytes into the slice at {@code at}.
     *
     * @throws IOException if the gate is shut
     */
    public synchronized void copyIn(int at, byte[] source, int offset, int count) throws IOException {
        open().put(at, source, offset, count);
    }

    /**
     * Copies what remains of {@code source} into the slice at {@code at}.
     *
     * @throws IOException if the gate is shut
     */
    public synchronized void copyIn(int at, ByteBuffer source) throws IOException {
        open().put(at, source, source.position(), source.remaining());
        source.position(source.limit());
    }

    /**
     * Fills the slice from a stream that must hold exactly its length; bytes beyond it are not read.
     *
     * @param buffer for the copy, of the calling thread
     * @throws IOException if the stream ends early or fails, or the gate is shut
     */
    public void fill(InputStream stream, byte[] buffer) throws IOException {
        int at = 0;
        while (at < length) {
            int count = stream.read(buffer, 0, Math.min(buffer.length, length - at));
            if (count < 0) {
                throw new IOException("the answer ended after " + at + " of " + length + " bytes");
            }
            copyIn(at, buffer, 0, count);
            at += count;
        }
    }

    /** Shuts the gate. When this has returned, nobody touches the memory any more. Idempotent. */
    public synchronized void shut() {
        memory = null;
    }

    private ByteBuffer open() throws IOException {
        if (memory == null) {
            throw new IOException("the transfer has ended");
        }
        return memory;
    }
}
