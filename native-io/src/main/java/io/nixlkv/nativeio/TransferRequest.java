package io.nixlkv.nativeio;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Items of one batch on their way through a {@link RequestLane}, and their results. Filled, carried out, read and used again. Its form
 * is that of {@code src/main/native/transfer_request.h}. Not thread-safe.
 */
public final class TransferRequest {
    /** How a written file is made visible. The order is that of the native code. */
    public enum Publish {
        /** Not at all. */
        NOT,
        /** Unless something has the name. */
        NEW,
        /** In place of what has the name. */
        REPLACE
    }

    /** How an item ended. The order is that of the native code. */
    public enum Result {
        /** Not carried out. */
        PENDING,
        /** Read; or written and published. */
        DONE,
        /** Whole under its temporary name. */
        WRITTEN,
        /** There is no such file, or one of zero bytes. */
        ABSENT,
        /** The stored length is another: {@link #stored}. */
        OTHER_LENGTH,
        /** Something that needs a closer look; nothing was transferred. */
        NOT_PLAIN,
        /** The deadline passed before it began. */
        EXPIRED,
        /** The library failed on it, also when it was alone. */
        REFUSED,
        /** Its file could not be opened: {@link #errno}. */
        NO_FILE
    }

    private static final Result[] RESULTS = Result.values();
    private static final int HEADER = 64;
    private static final int ITEM = 64;
    private static final int WRITE = 1;
    private static final int SYNC = 2;
    private static final int SENTINEL = 4;

    private ByteBuffer buffer = DirectBuffers.allocate(1 << 14);
    private int capacity;
    private int items;
    private int end;

    /**
     * Starts a new request; everything before it is forgotten.
     *
     * @param most most items that will be added
     * @param write false to read
     * @param sync whether what is written is on stable storage before it is done
     * @param sentinel whether a mark at the end of each slice shall tell short reads
     * @param mode permissions of files that are made
     * @param remainingNanos time until the deadline
     */
    public void start(
            int most, boolean write, boolean sync, boolean sentinel, Publish publish, int mode, long remainingNanos) {
        capacity = most;
        items = 0;
        end = HEADER + most * ITEM;
        ensure(end);
        buffer.putInt(4, (write ? WRITE : 0) | (sync ? SYNC : 0) | (sentinel ? SENTINEL : 0))
                .putInt(8, publish.ordinal())
                .putInt(12, mode)
                .putLong(16, remainingNanos)
                .putLong(24, 0)
                .putLong(32, 0)
                .putLong(40, 0);
    }

    /**
     * Adds a file that is opened for it, or an object.
     *
     * @param path absolute path, or an object's key
     * @param target absolute path under which it is published; may be empty
     * @param direct whether the file is opened for direct I/O
     * @return number of the item
     */
    public int add(long address, int length, String path, String target, boolean direct) {
        int item = append(address, 0, length, 0);
        int at = at(item);
        // before the buffer is used: it may have to grow
        int pathAt = text(path);
        int targetAt = text(target);
        buffer.putInt(at + 24, pathAt).putInt(at + 28, targetAt).putInt(at + 40, direct ? 1 : 0);
        return item;
    }

    /**
     * Adds a part of a file that {@link RequestLane#keep} opened.
     *
     * @return number of the item
     */
    public int addKept(long address, long offset, int length, long device) {
        return append(address, offset, length, device);
    }

    private int append(long address, long offset, int length, long device) {
        Objects.checkIndex(items, capacity);
        int at = at(items);
        buffer.putLong(at, address)
                .putLong(at + 8, offset)
                .putLong(at + 16, length)
                .putInt(at + 24, 0)
                .putInt(at + 28, 0)
                .putLong(at + 32, device)
                .putInt(at + 40, 0)
                .putInt(at + 44, 0)
                .putLong(at + 48, -1)
                .putInt(at + 56, 0);
        items++;
        buffer.putInt(0, items);
        return items - 1;
    }

    private int text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ensure(end + bytes.length + 1);
        int start = end;
        buffer.put(start, bytes).put(start + bytes.length, (byte) 0);
        end += bytes.length + 1;
        return start;
    }

    private void ensure(int bytes) {
        if (bytes > buffer.capacity()) {
            ByteBuffer larger = DirectBuffers.allocate(Math.max(bytes, 2 * buffer.capacity()));
            larger.put(0, buffer, 0, buffer.capacity());
            buffer = larger;
        }
    }

    private static int at(int item) {
        return HEADER + item * ITEM;
    }

    long address() {
        return DirectBuffers.address(buffer);
    }

    /** Number of items. */
    public int size() {
        return items;
    }

    /** How an item ended. */
    public Result result(int item) {
        return RESULTS[buffer.getInt(at(item) + 44)];
    }

    /** Stored length of an item that ended as {@link Result#OTHER_LENGTH}; -1 if it is only known to be shorter. */
    public long stored(int item) {
        return buffer.getLong(at(item) + 48);
    }

    /** The system's number for an item that ended as {@link Result#NO_FILE}. */
    public int errno(int item) {
        return buffer.getInt(at(item) + 56);
    }

    /** Transfer requests that were posted. */
    public long requests() {
        return buffer.getLong(24);
    }

    /** Items that were repeated one by one because the request they were in had failed. */
    public long repeated() {
        return buffer.getLong(32);
    }

    /** How often the agent was made anew, since one that failed is not trusted. */
    public long reopened() {
        return buffer.getLong(40);
    }
}
