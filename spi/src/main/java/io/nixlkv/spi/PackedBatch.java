package io.nixlkv.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A batch as a structure of arrays in one direct buffer, request and results together. Its owner (the host) fills it, hands it to
 * one lane, reads the results after {@link Lane#execute} returned and uses it again.
 *
 * <p>The form, ABI version {@link SpiVersion#PACKED_ABI}, native byte order, offsets in bytes:
 *
 * <pre>
 * header, 64:  0 int magic 0x4e4b5642   4 int ABI version   8 int op (ordinal)   12 int mode (ordinal)
 *             16 int flags (1 = durable)  20 int items      24 long deadline     32 long pool handle
 *             40 int offset of names      44 int end of names   48 … 63 zero
 * item, 48:    0 long address of the slice, 0 unknown
 *              8 long slot (with a pool) or stage token; STAGE writes its token here
 *             16 int offset in segment   20 int length   24 short segment   26 short root
 *             28 int offset of the name  32 int length of the name
 *             36 int result: 0 pending, else status code in the low 8 bits, errno or HTTP status in the high 16
 *             40 long stored length, -1 unknown
 * names:       UTF-8, not terminated
 * </pre>
 *
 * Items follow the header; the names follow the last item that fits the capacity. Completion is thread-safe, filling is not.
 */
public final class PackedBatch implements TransferBatch {
    /** First word of the form. */
    public static final int MAGIC = 0x4e4b5642;

    /** Bytes of the header. */
    public static final int HEADER_BYTES = 64;

    /** Bytes of an item. */
    public static final int ITEM_BYTES = 48;

    private static final Op[] OPS = Op.values();
    private static final Mode[] MODES = Mode.values();
    private static final VarHandle RESULT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int OP = 8;
    private static final int MODE = 12;
    private static final int FLAGS = 16;
    private static final int ITEMS = 20;
    private static final int DEADLINE = 24;
    private static final int POOL = 32;
    private static final int NAMES = 40;
    private static final int NAMES_END = 44;
    private static final int TOKEN = 8;
    private static final int OFFSET = 16;
    private static final int LENGTH = 20;
    private static final int SEGMENT = 24;
    private static final int ROOT = 26;
    private static final int NAME = 28;
    private static final int NAME_LENGTH = 32;
    private static final int RESULT_WORD = 36;
    private static final int STORED = 40;

    private final MemoryArena arena;
    private final int capacity;
    private ByteBuffer buffer;
    private SlotPool pool;
    private String[] sentences;

    /**
     * @param arena the memory of all slices
     * @param capacity most items, at least 1
     */
    public PackedBatch(MemoryArena arena, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch holds at least one item: " + capacity);
        }
        this.arena = arena;
        this.capacity = capacity;
        buffer = allocate(namesStart() + Math.max(256, Math.min(capacity, 1024) * 96));
    }

    /** Most items. */
    public int capacity() {
        return capacity;
    }

    /**
     * Starts a new request; everything before it is forgotten.
     *
     * @param deadline {@link System#nanoTime()} value
     * @param pool {@code null} if items are names
     */
    public void start(Op op, Mode mode, boolean durable, long deadline, SlotPool pool) {
        this.pool = pool;
        sentences = null;
        buffer.putInt(0, MAGIC)
                .putInt(4, SpiVersion.PACKED_ABI)
                .putInt(OP, op.ordinal())
                .putInt(MODE, mode.ordinal())
                .putInt(FLAGS, durable ? 1 : 0)
                .putInt(ITEMS, 0)
                .putLong(DEADLINE, deadline)
                .putLong(POOL, pool == null ? 0 : pool.handle())
                .putInt(NAMES, namesStart())
                .putInt(NAMES_END, namesStart());
    }

    /**
     * Adds an item with a name.
     *
     * @param name UTF-8 bytes are taken from {@code name[from]} to {@code name[to - 1]}
     * @throws IllegalArgumentException if the slice is outside the arena
     */
    public void add(byte[] name, int from, int to, int root, int segment, int offset, int length, long token) {
        int at = append(root, segment, offset, length);
        int nameAt = buffer.getInt(NAMES_END);
        ensure(nameAt + to - from);
        buffer.put(nameAt, name, from, to - from);
        buffer.putInt(NAMES_END, nameAt + to - from);
        buffer.putInt(at + NAME, nameAt).putInt(at + NAME_LENGTH, to - from).putLong(at + TOKEN, token);
    }

    /** Adds an item that has a name and a slice, for tests and simple callers. */
    public void add(String name, int root, int segment, int offset, int length) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length, root, segment, offset, length, 0);
    }

    /**
     * Adds an item that is a slot of the pool.
     *
     * @throws IllegalArgumentException if the slot is not one of the pool, the length exceeds it, or the slice is outside the arena
     */
    public void addSlot(int slot, int root, int segment, int offset, int length) {
        if (pool == null || slot < 0 || slot >= pool.count() || length > pool.slotBytes()) {
            throw new IllegalArgumentException("no such slot: " + slot + " with " + length + " bytes");
        }
        int at = append(root, segment, offset, length);
        buffer.putInt(at + NAME, 0).putInt(at + NAME_LENGTH, 0).putLong(at + TOKEN, slot);
    }

    private int append(int root, int segment, int offset, int length) {
        int item = size();
        if (item == capacity) {
            throw new IllegalStateException("the batch is full: " + capacity + " items");
        }
        if (segment < 0
                || segment >= arena.segments()
                || offset < 0
                || length < 0
                || (long) offset + length > arena.bytes(segment)) {
            throw new IllegalArgumentException(
                    "slice outside the arena: segment " + segment + ", offset " + offset + ", length " + length);
        }
        if (root < 0 || root > Short.MAX_VALUE) {
            throw new IllegalArgumentException("no such root: " + root);
        }
        int at = at(item);
        long base = arena.address(segment);
        buffer.putLong(at, base == 0 ? 0 : base + offset)
                .putInt(at + OFFSET, offset)
                .putInt(at + LENGTH, length)
                .putShort(at + SEGMENT, (short) segment)
                .putShort(at + ROOT, (short) root)
                .putInt(at + RESULT_WORD, 0)
                .putLong(at + STORED, -1);
        buffer.putInt(ITEMS, item + 1);
        return at;
    }

    @Override
    public Op op() {
        return OPS[buffer.getInt(OP)];
    }

    @Override
    public Mode mode() {
        return MODES[buffer.getInt(MODE)];
    }

    @Override
    public boolean durable() {
        return (buffer.getInt(FLAGS) & 1) != 0;
    }

    @Override
    public int size() {
        return buffer.getInt(ITEMS);
    }

    @Override
    public long deadline() {
        return buffer.getLong(DEADLINE);
    }

    @Override
    public SlotPool pool() {
        return pool;
    }

    @Override
    public int slot(int item) {
        return (int) token(item);
    }

    @Override
    public int root(int item) {
        return buffer.getShort(at(item) + ROOT);
    }

    @Override
    public String name(int item) {
        int at = at(item);
        byte[] bytes = new byte[buffer.getInt(at + NAME_LENGTH)];
        buffer.get(buffer.getInt(at + NAME), bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public int length(int item) {
        return buffer.getInt(at(item) + LENGTH);
    }

    @Override
    public int segment(int item) {
        return buffer.getShort(at(item) + SEGMENT);
    }

    @Override
    public int offset(int item) {
        return buffer.getInt(at(item) + OFFSET);
    }

    @Override
    public long address(int item) {
        return buffer.getLong(at(item));
    }

    @Override
    public ByteBuffer slice(int item) {
        return arena.segment(segment(item)).slice(offset(item), length(item));
    }

    @Override
    public long token(int item) {
        return buffer.getLong(at(item) + TOKEN);
    }

    @Override
    public ByteBuffer packed() {
        return buffer;
    }

    @Override
    public synchronized void complete(int item, Status status, long storedLength) {
        requirePending(item);
        end(item, status, 0, storedLength);
    }

    @Override
    public synchronized void staged(int item, long token) {
        requirePending(item);
        buffer.putLong(at(item) + TOKEN, token);
        end(item, Status.DONE, 0, length(item));
    }

    @Override
    public synchronized void fail(int item, Status status, int code, String sentence) {
        requirePending(item);
        if (sentences == null) {
            sentences = new String[capacity];
        }
        sentences[item] = sentence;
        end(item, status, code, -1);
    }

    /** The status of an item, or {@code null} while it is pending. */
    public Status status(int item) {
        int word = (int) RESULT.getAcquire(buffer, at(item) + RESULT_WORD);
        return word == 0 ? null : Status.of(word & 0xff);
    }

    /** Errno or HTTP status of an item, 0 if none. */
    public int code(int item) {
        return (int) RESULT.getAcquire(buffer, at(item) + RESULT_WORD) >>> 16;
    }

    /** Bytes in the store; -1 where it did not tell. */
    public long storedLength(int item) {
        return buffer.getLong(at(item) + STORED);
    }

    /** The sentence of a failed item; {@code null} if there is none. */
    public synchronized String sentence(int item) {
        return sentences == null ? null : sentences[item];
    }

    /** First of all: a second completion must not change what the first one said. */
    private void requirePending(int item) {
        if (item < 0 || item >= size()) {
            throw new IndexOutOfBoundsException("item " + item + " of " + size());
        }
        if (status(item) != null) {
            throw new IllegalStateException("item " + item + " completed twice");
        }
    }

    private void end(int item, Status status, int code, long storedLength) {
        buffer.putLong(at(item) + STORED, storedLength);
        RESULT.setRelease(buffer, at(item) + RESULT_WORD, status.code() | code << 16);
    }

    private int at(int item) {
        return HEADER_BYTES + item * ITEM_BYTES;
    }

    private int namesStart() {
        return HEADER_BYTES + capacity * ITEM_BYTES;
    }

    private void ensure(int end) {
        if (end <= buffer.capacity()) {
            return;
        }
        ByteBuffer larger = allocate(Math.max(end, buffer.capacity() * 2));
        larger.put(0, buffer, 0, buffer.capacity());
        buffer = larger;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes + 8)
                .alignedSlice(8)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public String toString() {
        Status[] statuses = new Status[Math.min(size(), 8)];
        Arrays.setAll(statuses, this::status);
        return op() + " " + mode() + " of " + size() + " items " + Arrays.toString(statuses);
    }
}
