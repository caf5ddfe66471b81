package io.nixlkv.host.hicache;

import io.nixlkv.api.KvArena;
import io.nixlkv.api.PageKey;
import io.nixlkv.api.hicache.HiCacheOptions;
import io.nixlkv.api.hicache.HostPool;
import io.nixlkv.api.hicache.PoolRegistration;
import io.nixlkv.api.hicache.SlicedPool;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registered host pool: what its pages are called and, where they are copied, the bounce memory of each direction. It holds that
 * memory until it is closed and no {@link StorageRegistration} stands on it. Thread-safe.
 */
public final class HostRegistration implements PoolRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(HostRegistration.class);

    private final PoolNames names;
    private final HostPool pool;
    private final KvArena arena;
    private final long closePatienceNanos;
    private final Consumer<HostRegistration> whenClosed;
    private final BounceSlots storing;
    private final BounceSlots loading;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private int transfers;
    private boolean closed;
    private boolean released;

    /** Which way pages go. */
    public enum Direction {
        /** From the pool into the store. */
        STORE,
        /** From the store into the pool. */
        LOAD
    }

    /**
     * @param bouncePages pages for each direction, 0 for as many as a quarter of what is free holds
     * @param whenClosed told once, when close begins
     * @throws StorageException NO_SPACE if the arena has no room for bounce pages
     */
    HostRegistration(
            PoolNames names,
            HostPool pool,
            KvArena arena,
            int bouncePages,
            long closePatienceNanos,
            Consumer<HostRegistration> whenClosed) {
        this.names = names;
        this.pool = pool;
        this.arena = arena;
        this.closePatienceNanos = closePatienceNanos;
        this.whenClosed = whenClosed;
        if (names.zeroCopy()) {
            storing = null;
            loading = null;
        } else {
            int count = bouncePages > 0 ? bouncePages : affordable(arena, pool.pageBytes());
            storing = slots(count);
            try {
                loading = slots(count);
            } catch (RuntimeException refused) {
                storing.close();
                throw refused;
            }
        }
    }

    private static int affordable(KvArena arena, int pageBytes) {
        long count = arena.freeBytes() / 4 / pageBytes;
        return (int) Math.max(1, Math.min(count, HiCacheOptions.MAX_BOUNCE_PAGES));
    }

    private BounceSlots slots(int count) {
        try {
            return new BounceSlots(arena, pool.pageBytes(), count);
        } catch (StorageException full) {
            throw new StorageException(
                    full.status(),
                    "pool " + names + " needs bounce memory of 2 x " + count + " pages of " + pool.pageBytes()
                            + " bytes in the arena of " + arena.bytes() + " bytes, of which " + arena.freeBytes()
                            + " are free; make store.arena_gb larger, or ask for fewer bounce pages",
                    full);
        }
    }

    @Override
    public HostPool pool() {
        return pool;
    }

    @Override
    public boolean zeroCopy() {
        return names.zeroCopy();
    }

    @Override
    public int bouncePages() {
        return storing == null ? 0 : storing.count();
    }

    PoolNames names() {
        return names;
    }

    /** Bytes of the objects of any page, in order. */
    long[] lengths() {
        if (!zeroCopy()) {
            return new long[] {pool.pageBytes()};
        }
        SlicedPool sliced = (SlicedPool) pool;
        long[] lengths = new long[sliced.parts()];
        for (int part = 0; part < lengths.length; part++) {
            lengths[part] = sliced.partBytes(part);
        }
        return lengths;
    }

    /**
     * The objects of the next pages of a transfer, with the memory they are transferred from or into; in copy mode as many pages as
     * there is bounce memory for, at least one. A store's pages are copied out of the pool here.
     *
     * @param hashes the hashes of all pages
     * @param pages their numbers in the pool
     * @param from index of the next page
     * @param most how many pages at most
     * @param deadline value of {@link System#nanoTime} until which to wait for bounce memory
     * @return empty if there is no bounce memory in time
     * @throws StorageException UNAVAILABLE if it is closed
     */
    public Optional<StorageRegistration> storage(
            Direction direction, List<String> hashes, int[] pages, int from, int most, long deadline) {
        begin();
        StorageRegistration storage = null;
        List<BounceSlots.Slot> slots = List.of();
        try {
            if (!zeroCopy()) {
                slots = (direction == Direction.STORE ? storing : loading).take(most, deadline);
            }
            int count = zeroCopy() ? most : slots.size();
            if (count == 0) {
                requireOpen();
            } else {
                storage = new StorageRegistration(this, hashes, pages, from, count, slots);
                if (direction == Direction.STORE) {
                    storage.copyOut();
                }
            }
            return Optional.ofNullable(storage);
        } catch (RuntimeException failed) {
            storage = null;
            slots.forEach(slot -> slot.giveBack(false));
            throw failed;
        } finally {
            if (storage == null) {
                end();
            }
        }
    }

    List<PageKey> keys(String hash) {
        return names.of(hash);
    }

    private void begin() {
        lock.lock();
        try {
            requireOpen();
            transfers++;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        lock.lock();
        try {
            if (closed) {
                throw new StorageException(Status.UNAVAILABLE, "the registration of pool " + names + " is closed");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called once for each storage registration, when it is closed. */
    void end() {
        lock.lock();
        try {
            transfers--;
            releaseIfIdle();
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void releaseIfIdle() {
        if (closed && transfers == 0 && !released) {
            released = true;
            if (storing != null) {
                storing.close();
                loading.close();
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (storing != null) {
                storing.refuse();
                loading.refuse();
            }
            releaseIfIdle();
        } finally {
            lock.unlock();
        }
        whenClosed.accept(this);
        if (!awaitIdle()) {
            LOG.error(
                    "HiCache pool {}: transfers still run {} s after close; its memory is not free until they end",
                    names,
                    closePatienceNanos / 1_000_000_000);
        }
    }

    private boolean awaitIdle() {
        boolean interrupted = false;
        long left = closePatienceNanos;
        lock.lock();
        try {
            while (transfers > 0 && left > 0) {
                try {
                    left = idle.awaitNanos(left);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            return transfers == 0;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
