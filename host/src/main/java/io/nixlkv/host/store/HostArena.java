package io.nixlkv.host.store;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.MemoryArena;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/**
 * Lends the arena's memory. A lease that its owner closed while a lane may still touch it ({@link #hold}) is given back only when the
 * lane let go ({@link Hold#letGo}): the owner may have stopped waiting for the call. Thread-safe.
 */
final class HostArena implements KvArena {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** How often the reserve is asked again: it tells nobody when something that was in use can be given back. */
    private static final long RESERVE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MemoryArena memory;
    private final long bytes;
    private final ArenaSpace space;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final TreeMap<Long, Lease> leases = new TreeMap<>();
    private volatile LongPredicate reserve;

    HostArena(MemoryArena memory, int alignment) {
        this.memory = memory;
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < memory.segments(); i++) {
            sizes.add(memory.bytes(i));
        }
        bytes = sizes.stream().mapToLong(Integer::longValue).sum();
        space = new ArenaSpace(sizes, alignment);
    }

    MemoryArena memory() {
        return memory;
    }

    /**
     * Where to ask for memory before anybody waits for it.
     *
     * @param giveBack closes leases of about that many bytes, and tells whether it did; called under this arena's lock
     */
    void reclaimFrom(LongPredicate giveBack) {
        reserve = giveBack;
    }

    @Override
    public Segment kind() {
        return memory.kind();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long freeBytes() {
        lock.lock();
        try {
            return space.freeBytes();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ArenaLease lease(int size, Duration patience) {
        if (size < 1) {
            throw new StorageException(Status.INVALID, "a lease needs at least 1 byte, not " + size);
        }
        if (!space.couldHold(size)) {
            throw new StorageException(
                    Status.INVALID,
                    size + " bytes never fit the arena of " + bytes + " bytes in " + memory.segments()
                            + " segment(s); make store.arena_gb larger");
        }
        long left = patience.compareTo(LONGEST) < 0 ? patience.toNanos() : LONGEST.toNanos();
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                long at = space.allocate(size);
                while (at == ArenaSpace.NONE && reclaimed(size)) {
                    at = space.allocate(size);
                }
                if (at != ArenaSpace.NONE) {
                    return lent(new KvSlice((int) (at >>> 32), (int) at, size));
                }
                if (left <= 0) {
                    throw new StorageException(
                            Status.NO_SPACE,
                            "no buffer space: " + size + " bytes are not free in the arena of " + bytes
                                    + " bytes; close leases, make store.arena_gb larger or wait longer");
                }
                try {
                    long wait = reserve == null ? left : Math.min(left, RESERVE_NANOS);
                    left -= wait - freed.awaitNanos(wait);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public ArenaLease lease(KvSlice place) {
        requireInside(place, place.length());
        if (place.length() < 1 || !space.isAligned(place.offset())) {
            throw new StorageException(
                    Status.INVALID,
                    place + " must have bytes and start at a multiple of the larger of store.arena_align_bytes and"
                            + " store.l1_align_bytes");
        }
        lock.lock();
        try {
            boolean taken = space.take(place.segment(), place.offset(), place.length());
            while (!taken && reclaimed(place.length())) {
                taken = space.take(place.segment(), place.offset(), place.length());
            }
            if (!taken) {
                throw new StorageException(Status.NO_SPACE, place + " is lent already, at least in part");
            }
            return lent(place);
        } finally {
            lock.unlock();
        }
    }

    private boolean reclaimed(int size) {
        LongPredicate present = reserve;
        return present != null && present.test(space.rounded(size));
    }

    private Lease lent(KvSlice slice) {
        Lease lease = new Lease(slice);
        leases.put(key(slice.segment(), slice.offset()), lease);
        return lease;
    }

    private static long key(int segment, int offset) {
        return (long) segment << 32 | offset;
    }

    @Override
    public KvSlice slice(long address, int length) {
        for (int i = 0; i < memory.segments(); i++) {
            long start = memory.address(i);
            if (start == 0) {
                throw new StorageException(
                        Status.UNSUPPORTED,
                        "the arena's addresses are not known without the native library; use slices");
            }
            long offset = address - start;
            if (offset >= 0 && length >= 0 && offset + length <= memory.bytes(i)) {
                return new KvSlice(i, (int) offset, length);
            }
        }
        throw new StorageException(
                Status.INVALID,
                length + " bytes at address 0x" + Long.toHexString(address) + " are outside the store's arena;"
                        + " open the store on the memory that holds them, or lease memory from the arena");
    }

    @Override
    public ByteBuffer buffer(KvSlice slice) {
        requireInside(slice, slice.length());
        return memory.segment(slice.segment()).slice(slice.offset(), slice.length());
    }

    @Override
    public void copyOut(KvSlice slice, ByteBuffer into) {
        requireInside(slice, into.remaining());
        requireFits(slice, into.remaining());
        memory.copyOut(slice.segment(), slice.offset(), into);
    }

    @Override
    public void copyIn(KvSlice slice, ByteBuffer from) {
        requireInside(slice, from.remaining());
        requireFits(slice, from.remaining());
        memory.copyIn(slice.segment(), slice.offset(), from);
    }

    @Override
    public void copyWithin(KvSlice slice, KvSlice to) {
        requireInside(slice, slice.length());
        requireInside(to, slice.length());
        requireFits(to, slice.length());
        memory.copyWithin(slice.segment(), slice.offset(), to.segment(), to.offset(), slice.length());
    }

    private static void requireFits(KvSlice slice, int length) {
        if (length > slice.length()) {
            throw new StorageException(Status.INVALID, slice + " is shorter than the " + length + " bytes to copy");
        }
    }

    /** @throws StorageException INVALID if {@code length} bytes from the slice's start are not inside one segment */
    void requireInside(KvSlice slice, int length) {
        boolean inside = slice.segment() >= 0
                && slice.segment() < memory.segments()
                && slice.offset() >= 0
                && length >= 0
                && (long) slice.offset() + length <= memory.bytes(slice.segment());
        if (!inside) {
            throw new StorageException(
                    Status.INVALID, slice + " with " + length + " bytes is outside the store's arena; use its leases");
        }
    }

    /** Keeps the leases around the slices of some tiles from being reused, each tile's until its {@link Hold#letGo}. */
    void hold(List<Tile> tiles) {
        lock.lock();
        try {
            for (Tile tile : tiles) {
                tile.keep(new Hold(tile.call(), tile.from(), tile.to()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The leases that one tile keeps. */
    final class Hold {
        private final List<Lease> held = new ArrayList<>(1);

        private Hold(Call call, int from, int to) {
            Lease last = null;
            for (int item = from; item < to; item++) {
                int segment = call.segment(item);
                int offset = call.offset(item);
                if (call.length(item) > 0 && (last == null || !last.holds(segment, offset))) {
                    last = around(segment, offset);
                    if (last != null) {
                        last.holds++;
                        held.add(last);
                    }
                }
            }
        }

        /** To be called once, when no lane touches the tile's memory any more. */
        void letGo() {
            lock.lock();
            try {
                for (Lease lease : held) {
                    lease.holds--;
                    lease.giveBackIfUnused();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private Lease around(int segment, int offset) {
        Map.Entry<Long, Lease> entry = leases.floorEntry(key(segment, offset));
        return entry != null && entry.getValue().holds(segment, offset) ? entry.getValue() : null;
    }

    private final class Lease implements ArenaLease {
        private final KvSlice slice;
        private int holds;
        private boolean closed;

        Lease(KvSlice slice) {
            this.slice = slice;
        }

        @Override
        public KvSlice slice() {
            return slice;
        }

        @Override
        public ByteBuffer buffer() {
            return HostArena.this.buffer(slice);
        }

        @Override
        public void copyOut(int offset, ByteBuffer into) {
            HostArena.this.copyOut(slice(offset, into.remaining()), into);
        }

        @Override
        public void copyIn(int offset, ByteBuffer from) {
            HostArena.this.copyIn(slice(offset, from.remaining()), from);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed) {
                    closed = true;
                    giveBackIfUnused();
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean holds(int segment, int offset) {
            return segment == slice.segment() && offset >= slice.offset() && offset < slice.offset() + slice.length();
        }

        private void giveBackIfUnused() {
            if (closed && holds == 0) {
                leases.remove(key(slice.segment(), slice.offset()));
                space.free(slice.segment(), slice.offset(), slice.length());
                freed.signalAll();
            }
        }
    }
}
