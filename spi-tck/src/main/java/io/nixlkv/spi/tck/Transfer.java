package io.nixlkv.spi.tck;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * One request of any size, cut to the engine's batches as a host does. Every slice lies between guard bytes; running it checks the
 * rules that hold for every request.
 */
final class Transfer {
    /** Time for a request that is not about deadlines. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    private static final int PAGE = MemoryArena.ALIGNMENT;

    private record Item(String name, int slot, int length, Content content, long token, int offset) {}

    private final Lane lane;
    private final int maxBatch;
    private final Area area;
    private final Op op;
    private final Mode mode;
    private final UnaryOperator<String> naming;
    private final List<Item> items = new ArrayList<>();
    private SlotPool pool;
    private boolean durable;
    private int shift;
    private long deadline = System.nanoTime() + PATIENCE;
    private int next;

    /** @param naming the object that stands for a name */
    Transfer(Lane lane, int maxBatch, Area area, Op op, Mode mode, UnaryOperator<String> naming) {
        this.naming = naming;
        this.lane = lane;
        this.maxBatch = maxBatch;
        this.area = area;
        this.op = op;
        this.mode = mode;
        next = area.from() + PAGE;
    }

    /** Asks for stable storage. */
    Transfer durable() {
        durable = true;
        return this;
    }

    /** Addresses slots of {@code slots}. */
    Transfer pool(SlotPool slots) {
        pool = slots;
        return this;
    }

    /** Moves the following slices {@code bytes} away from their aligned place. */
    Transfer shift(int bytes) {
        shift = bytes;
        return this;
    }

    /** Sets the {@link System#nanoTime()} deadline. */
    Transfer deadline(long nanoTime) {
        deadline = nanoTime;
        return this;
    }

    /** An object to write or stage. */
    Transfer put(String name, Content content) {
        return add(new Item(name, 0, content.length(), content, 0, place(content.length())));
    }

    /** An object to read with {@code length} bytes. */
    Transfer get(String name, int length) {
        return add(new Item(name, 0, length, null, 0, place(length)));
    }

    /** An object to query or delete. */
    Transfer name(String name) {
        return get(name, 0);
    }

    /** A staged object to publish or discard. */
    Transfer token(String name, int length, long token) {
        return add(new Item(name, 0, op == Op.PUBLISH ? length : 0, null, token, place(length)));
    }

    /** A slot to write. */
    Transfer putSlot(int slot, Content content) {
        return add(new Item("slot " + slot, slot, content.length(), content, 0, place(content.length())));
    }

    /** A slot to read. */
    Transfer getSlot(int slot, int length) {
        return add(new Item("slot " + slot, slot, length, null, 0, place(length)));
    }

    /** Executes the request and checks completion, guard bytes and written slices. */
    Outcomes run() {
        area.guard(area.from(), next);
        for (Item item : items) {
            if (item.content != null) {
                area.put(item.offset, item.content);
            }
        }
        List<Outcome> outcomes = new ArrayList<>(items.size());
        for (int from = 0; from < items.size(); from += maxBatch) {
            outcomes.addAll(execute(items.subList(from, Math.min(items.size(), from + maxBatch))));
        }
        checkSlices();
        return new Outcomes(outcomes, items.stream().map(this::slice).toList());
    }

    /** Overwrites every slice, as an application may after the fence. */
    void scribble() {
        area.clear(area.from(), next);
    }

    /** Fails the test if something wrote to a scribbled slice. */
    void checkScribbled() {
        Rule.FENCE.check(area.cleared(area.from(), next), () -> "a slice changed after execute() returned");
    }

    private List<Outcome> execute(List<Item> part) {
        PackedBatch packed = new PackedBatch(area.arena(), part.size());
        packed.start(op, mode, durable, deadline, pool);
        for (Item item : part) {
            if (pool != null) {
                packed.addSlot(item.slot, 0, 0, item.offset, item.length);
            } else {
                byte[] name = naming.apply(item.name).getBytes(StandardCharsets.UTF_8);
                packed.add(name, 0, name.length, 0, 0, item.offset, item.length, item.token);
            }
        }
        WatchedBatch batch = new WatchedBatch(packed);
        try {
            lane.execute(batch);
        } catch (RuntimeException thrown) {
            throw new AssertionError("rule " + Rule.PER_OBJECT + ": execute() threw for " + packed, thrown);
        }
        batch.returned();
        batch.check();
        List<Outcome> outcomes = new ArrayList<>(part.size());
        for (int i = 0; i < part.size(); i++) {
            outcomes.add(new Outcome(
                    part.get(i).name,
                    packed.status(i),
                    packed.code(i),
                    packed.storedLength(i),
                    packed.sentence(i),
                    packed.token(i)));
        }
        return outcomes;
    }

    private void checkSlices() {
        int from = area.from();
        for (Item item : items) {
            int end = item.offset;
            boolean intact = area.guarded(from, end);
            Rule.SLICES.check(intact, () -> "bytes before the slice of \"" + item.name + "\" changed");
            if (item.content != null) {
                Rule.SLICES.check(
                        item.content.is(slice(item)), () -> "a write changed the slice of \"" + item.name + "\"");
            }
            from = item.offset + item.length;
        }
        Rule.SLICES.check(area.guarded(from, next), () -> "bytes after the last slice changed");
    }

    private ByteBuffer slice(Item item) {
        return area.view(item.offset, item.length);
    }

    private Transfer add(Item item) {
        items.add(item);
        return this;
    }

    private int place(int length) {
        int at = next + shift;
        next = (at + length + 2 * PAGE - 1) / PAGE * PAGE;
        if (next > area.to()) {
            throw new IllegalStateException("the test needs more arena than " + (area.to() - area.from()) + " bytes");
        }
        return at;
    }
}
