package io.nixlkv.plugin.support.object;

import java.io.IOException;
import java.io.InputStream;

/** Reads a part of a slice. Used by one thread. */
final class SliceInput extends InputStream {
    private final Slice slice;
    private final int end;
    private int at;
    private int mark;

    SliceInput(Slice slice, int from, int count) {
        this.slice = slice;
        at = from;
        mark = from;
        end = from + count;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = Math.min(length, end - at);
        if (count <= 0) {
            return -1;
        }
        slice.copyOut(at, target, offset, count);
        at += count;
        return count;
    }

    @Override
    public long skip(long count) {
        int skipped = (int) Math.max(0, Math.min(count, end - at));
        at += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return end - at;
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) {
        mark = at;
    }

    @Override
    public void reset() {
        at = mark;
    }
}
