package io.nixlkv.host.local;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvArena;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects by the digests of their names, the least recently used one leaving first, in memory leased from a store's arena.
 *
 * <p>Bytes are kept only while it is certain that they are what the storage holds: what was loaded is kept if no write of that name
 * began since the load did, what was written is kept if no other write of it overlapped. A name whose write timed out may still change
 * unseen, and is not kept again by this cache.
 *
 * <p>Thread-safe. Its lock is never held while the arena's is taken, so that the arena may call {@link #giveBack} under its own.
 */
public final class LocalCache {
    /** So many names with an unknown outcome end the keeping altogether. */
    private static final int MOST_UNCERTAIN = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(LocalCache.class);

    private final KvArena arena;
    private final long unit;
    private final long limit;
    private final Map<HashValue128, LocalEntry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<HashValue128, Fill> fills = new HashMap<>();
    private final Map<HashValue128, Write> writes = new HashMap<>();
    private long bytes;
    private long hits;
    private long hitBytes;
    private long misses;
    private long evicted;
    private int uncertain;
    private boolean off;

    /**
     * @param arena lends the memory
     * @param unit bytes to which the arena rounds, a power of two
     * @param limit most bytes of the arena that are kept, what readers still copy included
     */
    public LocalCache(KvArena arena, long unit, long limit) {
        this.arena = arena;
        this.unit = unit;
        this.limit = limit;
    }

    /** A load under way whose bytes may be kept. */
    static final class Fill {
        private final HashValue128 name;

        private Fill(HashValue128 name) {
            this.name = name;
        }
    }

    /** All writes and deletes of one name under way. */
    static final class Write {
        private final HashValue128 name;
        private int count;
        private boolean overlapped;

        private Write(HashValue128 name) {
            this.name = name;
        }
    }

    /** What a write did to its object. */
    enum Outcome {
        /** The object has the bytes that were written. */
        WRITTEN,
        /** The object is what it was. */
        UNTOUCHED,
        /** The object may be gone or have other bytes. */
        CHANGED,
        /** The object may change at any time from now on. */
        UNKNOWN
    }

    /**
     * Copies a kept object to the position of {@code target}, which it must fill.
     *
     * @return whether it was kept with that length
     */
    boolean copy(HashValue128 name, ByteBuffer target) {
        LocalEntry entry;
        synchronized (this) {
            entry = off ? null : entries.get(name);
            if (entry == null || entry.length() != target.remaining()) {
                misses++;
                return false;
            }
            entry.pins++;
            hits++;
            hitBytes += entry.length();
        }
        try {
            target.duplicate().put(entry.bytes());
        } finally {
            unpin(entry);
        }
        return true;
    }

    private void unpin(LocalEntry entry) {
        boolean last;
        synchronized (this) {
            last = --entry.pins == 0 && entry.gone;
        }
        if (last) {
            giveBack(List.of(entry));
        }
    }

    /** The length of a kept object, or -1. Counts as use. */
    synchronized int length(HashValue128 name) {
        LocalEntry entry = off ? null : entries.get(name);
        return entry == null ? -1 : entry.length();
    }

    /** Begins a load; {@code null} if its bytes cannot be kept. To be ended by {@link #end(Fill, ByteBuffer)}. */
    synchronized Fill beginLoad(HashValue128 name) {
        if (off || writes.containsKey(name) || fills.containsKey(name)) {
            return null;
        }
        Fill fill = new Fill(name);
        fills.put(name, fill);
        return fill;
    }

    /** Ends a load. @param loaded the object's bytes, position to limit; {@code null} if it was not loaded */
    void end(Fill fill, ByteBuffer loaded) {
        if (fill == null) {
            return;
        }
        boolean valid;
        synchronized (this) {
            valid = fills.get(fill.name) == fill;
        }
        LocalEntry entry = valid && loaded != null ? copyOf(loaded) : null;
        List<LocalEntry> left = new ArrayList<>(1);
        synchronized (this) {
            // What is kept under this name did not serve the load: it has another length, or is not there any more.
            if (fills.remove(fill.name, fill)) {
                leave(entries.remove(fill.name), left);
                keep(fill.name, entry, left);
            } else {
                leave(entry, left);
            }
        }
        giveBack(left);
    }

    /**
     * Begins a write or delete. To be ended by {@link #end(Write, Outcome, ByteBuffer)}.
     *
     * @param replaces whether what is kept may be wrong from now on
     */
    Write beginWrite(HashValue128 name, boolean replaces) {
        List<LocalEntry> left = new ArrayList<>(1);
        Write write;
        synchronized (this) {
            if (off) {
                return null;
            }
            fills.remove(name);
            if (replaces) {
                leave(entries.remove(name), left);
            }
            write = writes.computeIfAbsent(name, Write::new);
            write.count++;
            write.overlapped |= write.count > 1;
        }
        giveBack(left);
        return write;
    }

    /** Ends a write or delete. @param written the object's bytes, position to limit, with outcome WRITTEN */
    void end(Write write, Outcome outcome, ByteBuffer written) {
        if (write == null) {
            return;
        }
        boolean alone;
        synchronized (this) {
            alone = !write.overlapped;
        }
        LocalEntry entry = alone && outcome == Outcome.WRITTEN ? copyOf(written) : null;
        List<LocalEntry> left = new ArrayList<>(1);
        synchronized (this) {
            if (outcome != Outcome.UNTOUCHED) {
                leave(entries.remove(write.name), left);
            }
            if (write.overlapped) {
                leave(entry, left);
            } else {
                keep(write.name, entry, left);
            }
            if (outcome == Outcome.UNKNOWN) {
                uncertain(left);
            } else if (--write.count == 0) {
                writes.remove(write.name);
            }
        }
        giveBack(left);
    }

    /** The write stays under way for ever, which keeps its name out. */
    private void uncertain(List<LocalEntry> left) {
        if (++uncertain > MOST_UNCERTAIN && !off) {
            LOG.warn(
                    "local_cpu: {} writes timed out with an unknown outcome; objects are no longer kept in memory until"
                            + " the store is opened anew",
                    uncertain);
            stop(left);
        }
    }

    /** The object was removed from the storage by other means than a write or delete of this cache's caller. */
    public void forget(HashValue128 name) {
        List<LocalEntry> left = new ArrayList<>(1);
        synchronized (this) {
            fills.remove(name);
            leave(entries.remove(name), left);
        }
        giveBack(left);
    }

    private LocalEntry copyOf(ByteBuffer source) {
        int length = source.remaining();
        long taken = (length + unit - 1) / unit * unit;
        if (!reserve(taken)) {
            return null;
        }
        try {
            ArenaLease lease = arena.lease(length, Duration.ZERO);
            lease.buffer().put(source.duplicate());
            return new LocalEntry(lease, length, taken);
        } catch (StorageException full) {
            synchronized (this) {
                bytes -= taken;
            }
            if (full.status() == Status.NO_SPACE || full.status() == Status.INVALID) {
                return null; // transfers need the memory
            }
            throw full;
        }
    }

    private boolean reserve(long taken) {
        List<LocalEntry> left = new ArrayList<>();
        boolean fits;
        synchronized (this) {
            long given = taken <= limit && !off ? evict(bytes + taken - limit, left) : 0;
            fits = !off && bytes - given + taken <= limit;
            bytes += fits ? taken : 0;
        }
        giveBack(left);
        return fits;
    }

    /** Lets the least recently used ones leave that nobody reads, {@code wanted} bytes or all there are. */
    private long evict(long wanted, List<LocalEntry> left) {
        long given = 0;
        Iterator<LocalEntry> eldest = entries.values().iterator();
        while (given < wanted && eldest.hasNext()) {
            LocalEntry entry = eldest.next();
            if (entry.pins == 0) {
                eldest.remove();
                leave(entry, left);
                given += entry.taken();
                evicted++;
            }
        }
        return given;
    }

    /** Gives memory back to the arena. May be called under the arena's lock. @return whether there was any */
    public boolean giveBack(long wanted) {
        List<LocalEntry> left = new ArrayList<>();
        synchronized (this) {
            evict(wanted, left);
        }
        giveBack(left);
        return !left.isEmpty();
    }

    private void keep(HashValue128 name, LocalEntry entry, List<LocalEntry> left) {
        if (entry != null && off) {
            leave(entry, left);
        } else if (entry != null) {
            leave(entries.put(name, entry), left);
        }
    }

    private static void leave(LocalEntry entry, List<LocalEntry> left) {
        if (entry != null) {
            entry.gone = true;
            if (entry.pins == 0) {
                left.add(entry);
            }
        }
    }

    private void giveBack(List<LocalEntry> left) {
        long given = 0;
        for (LocalEntry entry : left) {
            entry.giveBack();
            given += entry.taken();
        }
        if (given > 0) {
            synchronized (this) {
                bytes -= given;
            }
        }
    }

    private void stop(List<LocalEntry> left) {
        off = true;
        entries.values().forEach(entry -> leave(entry, left));
        entries.clear();
        fills.clear();
        writes.clear();
    }

    /** Gives everything back and keeps nothing from now on. Idempotent. */
    void close() {
        List<LocalEntry> left = new ArrayList<>();
        synchronized (this) {
            stop(left);
        }
        giveBack(left);
    }

    /** Adds what it holds and did to a store's status. */
    synchronized void describe(Map<String, Object> details) {
        details.put("local_cpu_entries", entries.size());
        details.put("local_cpu_bytes", bytes);
        details.put("local_cpu_limit_bytes", limit);
        details.put("local_cpu_hits", hits);
        details.put("local_cpu_hit_bytes", hitBytes);
        details.put("local_cpu_misses", misses);
        details.put("local_cpu_evicted", evicted);
        details.put("local_cpu_uncertain", uncertain);
    }
}
