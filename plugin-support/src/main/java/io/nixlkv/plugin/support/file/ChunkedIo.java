package io.nixlkv.plugin.support.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Moves a whole slice at one position of a file, looking at the deadline between pieces. */
final class ChunkedIo {
    /** How a transfer ended. */
    enum End {
        WHOLE,
        /** The deadline passed first. */
        EXPIRED,
        /** A read met the end of the file; the slice's position tells how far it came. */
        TRUNCATED
    }

    private static final int CHUNK = 8 << 20;

    private ChunkedIo() {}

    static boolean expired(long deadline) {
        return System.nanoTime() - deadline >= 0;
    }

    static End write(FileChannel channel, ByteBuffer slice, long position, long deadline) throws IOException {
        int length = slice.capacity();
        while (true) {
            slice.limit(Math.min(length, slice.position() + CHUNK));
            if (channel.write(slice, position + slice.position()) <= 0) {
                throw new IOException("the file system accepted no bytes");
            }
            if (slice.position() == length) {
                return End.WHOLE;
            }
            if (expired(deadline)) {
                return End.EXPIRED;
            }
        }
    }

    static End read(FileChannel channel, ByteBuffer slice, long position, long deadline) throws IOException {
        int length = slice.capacity();
        while (true) {
            slice.limit(Math.min(length, slice.position() + CHUNK));
            if (channel.read(slice, position + slice.position()) <= 0) {
                return End.TRUNCATED;
            }
            if (slice.position() == length) {
                return End.WHOLE;
            }
            if (expired(deadline)) {
                return End.EXPIRED;
            }
        }
    }
}
