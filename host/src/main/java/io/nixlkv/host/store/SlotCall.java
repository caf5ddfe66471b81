package io.nixlkv.host.store;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.host.pool.PoolShape;
import io.nixlkv.host.pool.SlotIndex;
import io.nixlkv.spi.SlotPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A call on keys of a static pool: finds or claims the slots, has the lanes transfer those that need it, and settles with the
 * index. Every slot it touches is pinned until it is settled, and longer while a lane is stuck with it.
 */
final class SlotCall implements SlotHolder {
    private final SlotIndex index;
    private final SlotPool pool;
    private final Call all;
    private final byte[] name = new byte[SlotIndex.MAX_NAME_BYTES];
    private final int[] slots;
    private final int[] items;
    private final long[] generations;
    private int count;

    /** @param all the objects of the call, with names and slices; gets the results, and is never queued itself */
    SlotCall(SlotIndex index, SlotPool pool, Call all) {
        this.index = index;
        this.pool = pool;
        this.all = all;
        slots = new int[all.size()];
        items = new int[all.size()];
        generations = new long[all.size()];
        Arrays.fill(slots, SlotIndex.NONE);
    }

    /** Pins the slots of the objects to load; what is missing or of another length is answered. */
    void find() {
        index.together(this::findAll);
    }

    private void findAll() {
        for (int item = 0; item < all.size(); item++) {
            int length = all.name(item, name);
            int slot = index.pinned(index.digest(name, length), name, length);
            if (slot == SlotIndex.NONE) {
                all.end(item, Status.MISSING, null);
                continue;
            }
            slots[item] = slot;
            if (index.length(slot) == all.length(item)) {
                generations[item] = index.generation(slot);
                items[count++] = item;
            } else {
                all.end(item, Status.WRONG_SIZE, index.length(slot), null);
            }
        }
    }

    /**
     * Claims slots for the objects to store; what is there already (mode CREATE) or finds no slot is answered.
     *
     * @param whole whether to claim none, so that nothing is evicted in vain, when not all objects find a slot
     */
    void claim(Mode mode, boolean whole) {
        index.together(() -> {
            int wanted = mode == Mode.CREATE ? all.size() - pinPresent() : all.size();
            if (whole && !index.hasRoom(wanted)) {
                refuse(wanted);
            } else {
                claimAll();
            }
        });
    }

    /** Answers what is there already; before any claim, which may evict it. */
    private int pinPresent() {
        int found = 0;
        for (int item = 0; item < all.size(); item++) {
            int length = all.name(item, name);
            slots[item] = index.pinned(index.digest(name, length), name, length);
            if (slots[item] != SlotIndex.NONE) {
                int stored = index.length(slots[item]);
                all.end(item, stored == all.length(item) ? Status.ALREADY_PRESENT : Status.WRONG_SIZE, stored, null);
                found++;
            }
        }
        return found;
    }

    private void claimAll() {
        for (int item = 0; item < all.size(); item++) {
            if (slots[item] != SlotIndex.NONE) {
                continue;
            }
            slots[item] = index.claim();
            if (slots[item] == SlotIndex.NONE) {
                all.end(item, Status.NO_SPACE, full());
            } else {
                items[count++] = item;
            }
        }
    }

    private void refuse(int wanted) {
        for (int item = 0; item < all.size(); item++) {
            if (slots[item] == SlotIndex.NONE) {
                all.end(item, Status.NO_SPACE, full() + "; the all-or-nothing batch needs " + wanted + " slots");
            }
        }
    }

    private String full() {
        return "the static pool of " + index.shape().slots()
                + " slots is full and no more may be given up now; make pool_size larger, or set pool_full = \"evict\" where it is"
                + " \"refuse\"";
    }

    /** Whether an object has been answered with a status that is no success. */
    boolean spoiled() {
        for (int item = 0; item < all.size(); item++) {
            if (all.status(item) != null && !all.status(item).stored()) {
                return true;
            }
        }
        return false;
    }

    /** The transfer of the objects that need one; {@code null} if none does. */
    Call transfer(Op op, Consumer<Call> whenDone) {
        if (count == 0) {
            return null;
        }
        Call call = all.follow(op, all.deadline(), Arrays.copyOf(items, count), whenDone);
        PoolShape shape = index.shape();
        int[] numbers = new int[count];
        int[] roots = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = shape.number(slots[items[i]]);
            roots[i] = shape.root(slots[items[i]]);
        }
        call.slots(pool, numbers, roots, this);
        return call;
    }

    /** The slots that are transferred. */
    int[] transferred() {
        return Arrays.stream(items, 0, count).map(item -> slots[item]).toArray();
    }

    /** Takes the results of loading. */
    void loaded(Call transfer) {
        index.together(() -> takeLoaded(transfer));
    }

    private void takeLoaded(Call transfer) {
        for (int i = 0; i < count; i++) {
            int item = items[i];
            all.end(item, transfer, i);
            if (transfer.status(i) == Status.DONE && index.generation(slots[item]) != generations[item]) {
                all.end(item, Status.FAILED, "the slot was given to another object during the load");
            }
        }
    }

    /** Takes the results of writing, and publishes what was written. */
    void written(Call transfer, Mode mode) {
        index.together(() -> publishAll(transfer, mode));
    }

    private void publishAll(Call transfer, Mode mode) {
        for (int i = 0; i < count; i++) {
            int item = items[i];
            all.end(item, transfer, i);
            if (transfer.status(i) != Status.DONE) {
                index.abandon(slots[item]);
                continue;
            }
            int length = all.name(item, name);
            HashValue128 digest = index.digest(name, length);
            Status published = index.publish(slots[item], digest, name, length, all.length(item), mode);
            long stored = published == Status.WRONG_SIZE ? index.length(digest, name, length) : all.length(item);
            all.end(item, published, stored, null);
        }
    }

    /**
     * Gives up what was claimed and not published; the objects end as {@code status} unless they have failed themselves.
     *
     * @param transfer {@code null} if none was made
     */
    void fail(Call transfer, Status status, String sentence) {
        for (int i = 0; i < count; i++) {
            index.abandon(slots[items[i]]);
            if (transfer != null && !transfer.status(i).stored()) {
                all.end(items[i], transfer, i);
            } else {
                all.end(items[i], status, sentence);
            }
        }
    }

    /** As {@link #fail}, with those that were there already: the batch is all-or-nothing. */
    void giveUp(Call transfer, Status status, String sentence) {
        fail(transfer, status, sentence);
        for (int item = 0; item < all.size(); item++) {
            if (all.status(item) == Status.ALREADY_PRESENT) {
                all.end(item, status, sentence);
            }
        }
    }

    /** A store that may yet finish writing keeps its slot for as long as the pool is open. */
    void keepUnsure(Call transfer) {
        for (int i = 0; i < count; i++) {
            if (transfer.handed(i) && transfer.status(i) == Status.TIMED_OUT) {
                index.pin(slots[items[i]]);
            }
        }
    }

    /** Lets go of all slots. */
    void settle() {
        index.together(this::unpinAll);
    }

    private void unpinAll() {
        for (int slot : slots) {
            if (slot != SlotIndex.NONE) {
                index.unpin(slot);
            }
        }
    }

    @Override
    public void hold(int item) {
        index.pin(slots[items[item]]);
    }

    @Override
    public void letGo(int item) {
        index.unpin(slots[items[item]]);
    }
}
