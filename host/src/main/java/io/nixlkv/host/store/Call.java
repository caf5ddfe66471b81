package io.nixlkv.host.store;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation on many objects: the request in arrays, filled before it is submitted, and the results, each written by whoever
 * ends the item's tile, readable once {@code whenDone} runs.
 */
final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    private static final int SEGMENT = 0;
    private static final int OFFSET = 1;
    private static final int LENGTH = 2;
    private static final int SLICE_WORDS = 3;

    private final Op op;
    private final Mode mode;
    private final boolean durable;
    private final long deadline;
    private final int size;
    private final byte[] names;
    private final int[] nameEnds;
    private final int[] roots;
    private final int[] slices;
    private final long[] tokens;
    private final Status[] statuses;
    private final long[] storedLengths;
    private final String[] sentences;
    private final boolean[] handed;
    private final AtomicInteger openTiles = new AtomicInteger();
    private final Consumer<Call> whenDone;
    private Runnable onEnd = () -> {};
    private SlotPool pool;
    private int[] slots;
    private SlotHolder holder = SlotHolder.NONE;

    /**
     * @param names every name's UTF-8 bytes, one after the other
     * @param nameEnds end of each name in {@code names}
     * @param deadline {@link System#nanoTime()} value
     * @param whenDone runs once, on the thread that ends the last tile; must not block
     */
    Call(
            Op op,
            Mode mode,
            boolean durable,
            long deadline,
            byte[] names,
            int[] nameEnds,
            int[] roots,
            Consumer<Call> whenDone) {
        this.op = op;
        this.mode = mode;
        this.durable = durable;
        this.deadline = deadline;
        this.names = names;
        this.nameEnds = nameEnds;
        this.roots = roots;
        this.whenDone = whenDone;
        size = nameEnds.length;
        slices = new int[size * SLICE_WORDS];
        tokens = new long[size];
        statuses = new Status[size];
        storedLengths = new long[size];
        sentences = new String[size];
        handed = new boolean[size];
    }

    /** A call on some items of this one: same names and slices, another operation. Tokens go along. */
    Call follow(Op nextOp, long nextDeadline, int[] items, Consumer<Call> next) {
        int bytes = 0;
        for (int item : items) {
            bytes += nameEnds[item] - nameStart(item);
        }
        byte[] nextNames = new byte[bytes];
        int[] ends = new int[items.length];
        int[] nextRoots = new int[items.length];
        int end = 0;
        for (int i = 0; i < items.length; i++) {
            int length = nameEnds[items[i]] - nameStart(items[i]);
            System.arraycopy(names, nameStart(items[i]), nextNames, end, length);
            end += length;
            ends[i] = end;
            nextRoots[i] = roots[items[i]];
        }
        Call call = new Call(nextOp, mode, durable, nextDeadline, nextNames, ends, nextRoots, next);
        for (int i = 0; i < items.length; i++) {
            boolean sized = nextOp == Op.PUBLISH || nextOp == Op.WRITE || nextOp == Op.READ;
            call.slice(i, segment(items[i]), offset(items[i]), sized ? length(items[i]) : 0);
            call.tokens[i] = tokens[items[i]];
        }
        return call;
    }

    void slice(int item, int segment, int offset, int length) {
        slices[item * SLICE_WORDS + SEGMENT] = segment;
        slices[item * SLICE_WORDS + OFFSET] = offset;
        slices[item * SLICE_WORDS + LENGTH] = length;
    }

    /**
     * Makes this a call on slots instead of names; set before the call is queued.
     *
     * @param numbers slot of each item under its root
     * @param rootsOfSlots root of each item's slot
     * @param slotHolder is told when a lane is stuck with an item's slot
     */
    void slots(SlotPool slotPool, int[] numbers, int[] rootsOfSlots, SlotHolder slotHolder) {
        pool = slotPool;
        slots = numbers;
        System.arraycopy(rootsOfSlots, 0, roots, 0, roots.length);
        holder = slotHolder;
    }

    /** Copies the UTF-8 bytes of an item's name to the start of {@code target}; answers with their number. */
    int name(int item, byte[] target) {
        int length = nameEnds[item] - nameStart(item);
        System.arraycopy(names, nameStart(item), target, 0, length);
        return length;
    }

    SlotHolder holder() {
        return holder;
    }

    Op op() {
        return op;
    }

    long deadline() {
        return deadline;
    }

    int size() {
        return size;
    }

    int segment(int item) {
        return slices[item * SLICE_WORDS + SEGMENT];
    }

    int offset(int item) {
        return slices[item * SLICE_WORDS + OFFSET];
    }

    int length(int item) {
        return slices[item * SLICE_WORDS + LENGTH];
    }

    Status status(int item) {
        return statuses[item];
    }

    long storedLength(int item) {
        return storedLengths[item];
    }

    /** What the lane said about an item; {@code null} if nothing. */
    String sentence(int item) {
        return sentences[item];
    }

    private int nameStart(int item) {
        return item == 0 ? 0 : nameEnds[item - 1];
    }

    /** Runs before {@code whenDone}; set before the call is queued. */
    void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Cuts the call into tiles, all of which must be ended. */
    List<Tile> cut(int workers, int maxBatch) {
        int count = Math.max(Math.min(workers, size), (size + maxBatch - 1) / maxBatch);
        List<Tile> tiles = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tiles.add(new Tile(this, (int) ((long) size * i / count), (int) ((long) size * (i + 1) / count)));
        }
        openTiles.set(count);
        return tiles;
    }

    void fill(PackedBatch batch, int from, int to) {
        batch.start(op, mode, durable, deadline, pool);
        for (int item = from; item < to; item++) {
            handed[item] = true;
            if (pool == null) {
                addNamed(batch, item);
            } else {
                batch.addSlot(slots[item], roots[item], segment(item), offset(item), length(item));
            }
        }
    }

    private void addNamed(PackedBatch batch, int item) {
        batch.add(
                names,
                nameStart(item),
                nameEnds[item],
                roots[item],
                segment(item),
                offset(item),
                length(item),
                tokens[item]);
    }

    /** Whether a lane ever got the item. */
    boolean handed(int item) {
        return handed[item];
    }

    void take(int item, PackedBatch batch, int batchItem) {
        statuses[item] = batch.status(batchItem);
        storedLengths[item] = batch.storedLength(batchItem);
        sentences[item] = batch.sentence(batchItem);
        tokens[item] = batch.token(batchItem);
    }

    void end(int item, Status status, String sentence) {
        end(item, status, -1, sentence);
    }

    void end(int item, Status status, long storedLength, String sentence) {
        statuses[item] = status;
        storedLengths[item] = storedLength;
        sentences[item] = sentence;
    }

    /** Takes the result of an item of another call on the same object. */
    void end(int item, Call other, int otherItem) {
        statuses[item] = other.statuses[otherItem];
        storedLengths[item] = other.storedLengths[otherItem];
        sentences[item] = other.sentences[otherItem];
    }

    /** A found object must have {@code length} bytes, unless 0 or the store does not tell. */
    void expect(int item, long length) {
        boolean known = length > 0 && statuses[item] == Status.DONE && storedLengths[item] >= 0;
        if (known && storedLengths[item] != length) {
            statuses[item] = Status.WRONG_SIZE;
            slices[item * SLICE_WORDS + LENGTH] = (int) length;
        }
    }

    void tileEnded() {
        if (openTiles.decrementAndGet() == 0) {
            onEnd.run();
            try {
                whenDone.accept(this);
            } catch (RuntimeException | Error thrown) {
                // whoever ended it serves other calls too
                LOG.error("a {} of {} object(s) has ended, but could not be answered", op, size, thrown);
            }
        }
    }

    /** The results for the caller; objects that ended alike share one result. */
    BatchResult results(Reasons reasons) {
        List<ObjectResult> results = new ArrayList<>(size);
        ObjectResult last = null;
        for (int item = 0; item < size; item++) {
            String reason = reasons.of(this, item);
            boolean same = last != null
                    && reason.isEmpty()
                    && last.reason().isEmpty()
                    && last.status() == statuses[item]
                    && last.storedLength() == storedLengths[item];
            if (!same) {
                last = new ObjectResult(statuses[item], storedLengths[item], reason);
            }
            results.add(last);
        }
        return new BatchResult(results);
    }
}
