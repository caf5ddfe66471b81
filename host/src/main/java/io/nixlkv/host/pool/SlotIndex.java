package io.nixlkv.host.pool;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.host.presence.DigestTable;
import io.nixlkv.host.presence.Digester;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which key is in which slot, in memory and in the state directory.
 *
 * <p>A slot is never written while it has a key: it is claimed (and marked so in the file), filled by the caller, then published
 * with its key. So a kill at any moment leaves each slot with a whole object or with none. A pinned slot is not given to another
 * key, so what a reader reads stays the same; {@link #generation} tells it apart even so.
 *
 * <p>Thread-safe.
 */
public final class SlotIndex implements AutoCloseable {
    /** No slot. */
    public static final int NONE = -1;

    /** Longest name that an index holds, bytes. */
    public static final int MAX_NAME_BYTES = SlotRecords.MAX_NAME_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(SlotIndex.class);

    private enum Life {
        FREE,
        /** Claimed, without a key. */
        WRITING,
        VALID,
        /** Without a key, but pinned. */
        LEAVING
    }

    private static final Life[] LIVES = Life.values();

    private final PoolShape shape;
    private final boolean durable;
    private final boolean evicts;
    private final StateLock lock;
    private final IndexFile file;
    private final SlotRecords records;
    private final Digester digester = new Digester();
    private final DigestTable slots;
    private final SlotChain chain;
    private final Replacements replacements = new Replacements();
    private final byte[] lives;
    private final int[] pins;
    private final int[] free;
    private final byte[] scratch = new byte[SlotRecords.RECORD_BYTES];
    private int freeCount;
    private long generation;
    private long evicted;
    private long damaged;
    private int recovered;
    private boolean closed;

    private SlotIndex(PoolShape shape, boolean durable, boolean evicts, StateLock lock, IndexFile file) {
        this.shape = shape;
        this.durable = durable;
        this.evicts = evicts;
        this.lock = lock;
        this.file = file;
        records = file.records();
        slots = new DigestTable(shape.slots());
        chain = new SlotChain(shape.slots());
        lives = new byte[shape.slots()];
        pins = new int[shape.slots()];
        free = new int[shape.slots()];
    }

    /**
     * Opens the index in a state directory, made when absent, and takes the directory for this process.
     *
     * <p>What was not written to stable storage is dropped after a restart of the machine, since the index may then know more than the
     * slots hold.
     *
     * @param durable whether the caller brings slots to stable storage before it publishes them, and uses {@link #force}
     * @param remote whether the slots outlive this machine
     * @param evicts whether a full pool drops its least recently used object, instead of refusing
     * @throws StorageException if another store has the directory, the index has another shape, or it cannot be opened
     */
    public static SlotIndex open(Path stateDir, PoolShape shape, boolean durable, boolean remote, boolean evicts) {
        try {
            IndexFile.makeDirectory(stateDir);
            StateLock lock = StateLock.take(stateDir);
            try {
                IndexFile file = IndexFile.open(stateDir, shape);
                SlotIndex index = new SlotIndex(shape, durable, evicts, lock, file);
                boolean dropped = file.isOfEarlierBoot() && !file.durable() && !remote;
                if (dropped) {
                    LOG.warn(
                            "the pool of {} starts empty: the machine was restarted, and with sync = false nobody knows what"
                                    + " of it had reached the disk",
                            stateDir);
                    index.drop();
                } else {
                    index.recover();
                }
                file.opened(durable && (file.durable() || file.made() || dropped || index.recovered == 0));
                return index;
            } catch (IOException | RuntimeException refused) {
                lock.close();
                throw refused;
            }
        } catch (IOException failed) {
            throw new StorageException(
                    Status.FAILED,
                    "the state directory " + stateDir + " of the static pool cannot be used: " + failed
                            + "; correct store.state_dir",
                    failed);
        }
    }

    private void recover() {
        long[] order = new long[shape.slots()];
        int[] found = new int[shape.slots()];
        for (int slot = 0; slot < shape.slots(); slot++) {
            if (records.isValid(slot, shape.slotBytes())) {
                keep(slot);
            } else {
                damaged += records.isEmpty(slot) ? 0 : 1;
                records.free(slot);
            }
        }
        for (int slot = shape.slots() - 1; slot >= 0; slot--) {
            if (life(slot) == Life.VALID) {
                order[recovered] = records.lastUse(slot);
                found[recovered++] = slot;
            } else {
                free[freeCount++] = slot;
            }
        }
        for (int slot : byUse(order, found, recovered)) {
            chain.append(slot);
        }
        generation++;
    }

    /** Of two slots with one key, which a kill within a replacement leaves, the older one goes. */
    private void keep(int slot) {
        int nameLength = records.name(slot, scratch);
        HashValue128 digest = digester.of(scratch, 0, nameLength);
        int twin = slots.get(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
        generation = Math.max(generation, records.generation(slot));
        if (twin != NONE && records.generation(twin) > records.generation(slot)) {
            records.free(slot);
            return;
        }
        if (twin != NONE) {
            records.free(twin);
            life(twin, Life.FREE);
        }
        slots.put(digest.getMostSignificantBits(), digest.getLeastSignificantBits(), slot);
        life(slot, Life.VALID);
    }

    /** Slots from the least recently used one on. */
    private static int[] byUse(long[] uses, int[] slots, int count) {
        long first = Arrays.stream(uses, 0, count).min().orElse(0);
        long[] keyed = new long[count];
        for (int i = 0; i < count; i++) {
            keyed[i] = Math.min(uses[i] - first, Integer.MAX_VALUE * 1024L) / 1024 << 32 | i;
        }
        Arrays.sort(keyed);
        return Arrays.stream(keyed).mapToInt(key -> slots[(int) key]).toArray();
    }

    private void drop() {
        slots.clear();
        freeCount = 0;
        recovered = 0;
        for (int slot = shape.slots() - 1; slot >= 0; slot--) {
            records.free(slot);
            if (life(slot) == Life.VALID) {
                chain.remove(slot);
            }
            life(slot, Life.FREE);
            free[freeCount++] = slot;
        }
    }

    /** Identity of the contents. */
    public UUID pool() {
        return file.pool();
    }

    /** Forgets everything and takes a new identity, before anything is pinned: the slots turned out to be another pool's. */
    public synchronized void reset() {
        drop();
        file.pool(UUID.randomUUID(), durable);
    }

    /**
     * Drops the objects whose slots the storage has lost, before anything is pinned.
     *
     * @param lost whether the storage has lost a slot
     * @return how many were dropped
     */
    public synchronized int dropLost(IntPredicate lost) {
        int[] dropped = IntStream.range(0, shape.slots())
                .filter(slot -> life(slot) == Life.VALID && lost.test(slot))
                .toArray();
        for (int slot : dropped) {
            forget(slot);
            release(slot);
        }
        damaged += dropped.length;
        recovered -= dropped.length;
        if (durable && dropped.length > 0) {
            force(dropped, dropped.length);
        }
        return dropped.length;
    }

    /** Slots, their size and place. */
    public PoolShape shape() {
        return shape;
    }

    /** The digest by which this index knows a name. */
    public HashValue128 digest(byte[] name, int length) {
        return digester.of(name, 0, length);
    }

    /** Runs several calls of this index as one, which spares the way through its lock for each. They must not block. */
    public synchronized void together(Runnable calls) {
        calls.run();
    }

    /** Stored length of a key's object, or {@link #NONE}. Counts as use. */
    public synchronized int length(HashValue128 digest, byte[] name, int nameLength) {
        int slot = find(digest, name, nameLength);
        if (slot == NONE) {
            return NONE;
        }
        use(slot);
        return records.length(slot);
    }

    /** Pins the slot of a key's object until {@link #unpin}, or answers {@link #NONE}. Counts as use. */
    public synchronized int pinned(HashValue128 digest, byte[] name, int nameLength) {
        int slot = find(digest, name, nameLength);
        if (slot != NONE) {
            use(slot);
            pins[slot]++;
        }
        return slot;
    }

    /** Stored length of the object in a pinned slot. */
    public synchronized int length(int slot) {
        return records.length(slot);
    }

    /** Number of the writing that filled a pinned slot. */
    public synchronized long generation(int slot) {
        return records.generation(slot);
    }

    private int find(HashValue128 digest, byte[] name, int nameLength) {
        requireOpen();
        int slot = slots.get(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
        return slot != NONE && records.isCalled(slot, name, nameLength) ? slot : NONE;
    }

    private void use(int slot) {
        chain.use(slot);
        records.touch(slot, System.currentTimeMillis());
    }

    /** One pin more on a pinned slot. */
    public synchronized void pin(int slot) {
        pins[slot]++;
    }

    /** One pin less. */
    public synchronized void unpin(int slot) {
        if (closed) {
            return;
        }
        if (--pins[slot] == 0 && life(slot) == Life.LEAVING) {
            release(slot);
        }
    }

    /**
     * A slot to write into, marked so and pinned once; {@link #NONE} if the pool is full and nothing may go.
     */
    public synchronized int claim() {
        requireOpen();
        int slot = freeCount > 0 ? free[--freeCount] : evicts ? evict() : NONE;
        if (slot != NONE) {
            records.writing(slot);
            life(slot, Life.WRITING);
            pins[slot] = 1;
        }
        return slot;
    }

    /** Whether so many slots could be claimed now, one after the other. */
    public synchronized boolean hasRoom(int wanted) {
        int found = freeCount;
        for (int slot = evicts ? chain.oldest() : NONE; slot != NONE && found < wanted; slot = chain.newerThan(slot)) {
            found += pins[slot] == 0 ? 1 : 0;
        }
        return found >= wanted;
    }

    private int evict() {
        int slot = chain.oldest();
        while (slot != NONE && pins[slot] > 0) {
            slot = chain.newerThan(slot);
        }
        if (slot != NONE) {
            forget(slot);
            evicted++;
        }
        return slot;
    }

    /**
     * Gives a claimed and filled slot its key. The claim's pin stays. A durable index keeps the record of an object that is replaced
     * until {@link #secure}: whatever of the two a power cut spares, one of them is whole.
     *
     * @return DONE; or, in mode CREATE, ALREADY_PRESENT or WRONG_SIZE when the key has an object: the slot is let go then
     */
    public synchronized Status publish(
            int slot, HashValue128 digest, byte[] name, int nameLength, int length, Mode mode) {
        requireOpen();
        int present = find(digest, name, nameLength);
        if (present != NONE && mode == Mode.CREATE) {
            use(present);
            life(slot, Life.LEAVING);
            return records.length(present) == length ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
        }
        records.valid(slot, ++generation, length, name, nameLength, System.currentTimeMillis());
        int shadowed = slots.get(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
        if (shadowed != NONE && durable) {
            replace(shadowed, slot);
        } else if (shadowed != NONE) {
            leave(shadowed);
        }
        slots.put(digest.getMostSignificantBits(), digest.getLeastSignificantBits(), slot);
        life(slot, Life.VALID);
        chain.append(slot);
        return Status.DONE;
    }

    private void replace(int shadowed, int by) {
        replacements.add(shadowed, by);
        pins[shadowed]++;
        forget(shadowed);
        life(shadowed, Life.LEAVING);
    }

    /**
     * Brings published slots, still pinned, to stable storage, and then the end of what they replaced: no later power cut can bring
     * that back.
     *
     * @throws RuntimeException if stable storage cannot be written; what was replaced is let go all the same
     */
    public void secure(int[] published, int count) {
        int[] older;
        try {
            force(published, count);
        } finally {
            older = letReplacedGo(published, count);
        }
        if (older.length > 0) {
            force(older, older.length);
        }
    }

    private synchronized int[] letReplacedGo(int[] published, int count) {
        if (closed) {
            return new int[0];
        }
        int[] older = replacements.take(published, count);
        for (int slot : older) {
            records.writing(slot);
            unpin(slot);
        }
        return older;
    }

    /** A claimed slot gets no key. It is free when its last pin is gone. */
    public synchronized void abandon(int slot) {
        if (life(slot) == Life.WRITING) {
            life(slot, Life.LEAVING);
        }
    }

    /** Removes a key, on stable storage too if the index is durable. False if it has no object. */
    public boolean delete(HashValue128 digest, byte[] name, int nameLength) {
        int[] gone;
        synchronized (this) {
            int slot = find(digest, name, nameLength);
            if (slot == NONE) {
                return false;
            }
            // older ones first: a kill in between must not leave one of them as the newest
            List<Integer> older = replacements.olderThan(slot);
            older.forEach(records::writing);
            leave(slot);
            gone = IntStream.concat(IntStream.of(slot), older.stream().mapToInt(o -> o))
                    .toArray();
        }
        if (durable) {
            force(gone, gone.length);
        }
        return true;
    }

    private void leave(int slot) {
        forget(slot);
        records.writing(slot);
        life(slot, Life.LEAVING);
        if (pins[slot] == 0) {
            release(slot);
        }
    }

    private void forget(int slot) {
        HashValue128 digest = digester.of(scratch, 0, records.name(slot, scratch));
        slots.remove(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
        chain.remove(slot);
    }

    private void release(int slot) {
        records.free(slot);
        life(slot, Life.FREE);
        free[freeCount++] = slot;
    }

    /** Brings the records of some slots to stable storage. */
    public void force(int[] some, int count) {
        records.force(some, count);
    }

    /** Visits the objects whose name starts with {@code prefix}, in no particular order. */
    public void forEach(String prefix, SlotVisitor visitor) {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        byte[] name = new byte[SlotRecords.RECORD_BYTES];
        for (int slot = 0; slot < shape.slots(); slot++) {
            int nameLength;
            int length;
            long lastUse;
            synchronized (this) {
                requireOpen();
                if (life(slot) != Life.VALID) {
                    continue;
                }
                nameLength = records.name(slot, name);
                length = records.length(slot);
                lastUse = records.lastUse(slot);
            }
            boolean wanted = nameLength >= start.length && Arrays.equals(name, 0, start.length, start, 0, start.length);
            if (wanted && !visitor.visit(new String(name, 0, nameLength, StandardCharsets.UTF_8), length, lastUse)) {
                return;
            }
        }
    }

    /** How full it is. */
    public synchronized SlotUse use() {
        return new SlotUse(shape.slots() - freeCount, shape.slots(), evicted, damaged, recovered);
    }

    private Life life(int slot) {
        return LIVES[lives[slot]];
    }

    private void life(int slot, Life life) {
        lives[slot] = (byte) life.ordinal();
    }

    private void requireOpen() {
        if (closed) {
            throw new StorageException(Status.UNAVAILABLE, "the pool of " + file.path() + " is closed");
        }
    }

    /** Closes an index whose slots could not be opened; one that this opening made goes. */
    public synchronized void giveUp() {
        try {
            if (!closed && file.made()) {
                Files.deleteIfExists(file.path());
            }
        } catch (IOException left) {
            LOG.warn("the index {} of a pool that was not opened stays behind: {}", file.path(), left.toString());
        }
        close();
    }

    /** Lets go of the state directory. The contents stay. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            lock.close();
        } catch (IOException failed) {
            throw new StorageException(
                    Status.FAILED, "the lock of " + file.path() + " was not let go in order: " + failed, failed);
        }
    }
}
