package io.nixlkv.host.hicache;

import io.nixlkv.api.ArenaLease;
import io.nixlkv.api.KvArena;
import io.nixlkv.api.KvSlice;
import io.nixlkv.spi.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Page-aligned pieces of the arena through which the pages of one pool are copied in one direction. Taken before the first transfer,
 * kept until close. Thread-safe.
 */
final class BounceSlots {
    private static final int PAGE = 4096;

    private final KvArena arena;
    private final int bytes;
    private final int count;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Slot> free = new ArrayDeque<>();
    private int spent;
    private boolean refusing;
    private boolean closed;

    /** One piece, which its taker gives back. */
    final class Slot {
        private final ArenaLease lease;
        private final int from;

        private Slot(ArenaLease lease, int from) {
            this.lease = lease;
            this.from = from;
        }

        KvSlice slice() {
            return lease.slice(from, bytes);
        }

        ByteBuffer buffer() {
            return arena.buffer(slice());
        }

        /** @param stuck whether a transfer may still touch it, so that nobody may use it until the store let go */
        void giveBack(boolean stuck) {
            lock.lock();
            try {
                if (stuck) {
                    lease.close();
                    spent++;
                } else if (closed) {
                    lease.close();
                } else {
                    free.push(this);
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * @param bytes of a page
     * @throws StorageException NO_SPACE or INVALID if the arena has no room for all of them
     */
    BounceSlots(KvArena arena, int bytes, int count) {
        this.arena = arena;
        this.bytes = bytes;
        this.count = count;
        try {
            for (int i = 0; i < count; i++) {
                free.add(lease());
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private Slot lease() {
        int rounded = Math.addExact(bytes, PAGE - 1) / PAGE * PAGE;
        ArenaLease lease = arena.lease(rounded, Duration.ZERO);
        int over = lease.slice().offset() % PAGE;
        if (over == 0) {
            return new Slot(lease, 0);
        }
        // the arena aligns to less than a page
        lease.close();
        ArenaLease wider = arena.lease(Math.addExact(rounded, PAGE), Duration.ZERO);
        return new Slot(wider, (PAGE - wider.slice().offset() % PAGE) % PAGE);
    }

    int count() {
        return count;
    }

    /** One to {@code most} slots; none if there is none before {@code deadline}, a value of {@link System#nanoTime}. */
    List<Slot> take(int most, long deadline) {
        List<Slot> taken = new ArrayList<>();
        boolean interrupted = false;
        lock.lock();
        try {
            while (!refusing) {
                replaceSpent();
                while (taken.size() < most && !free.isEmpty()) {
                    taken.add(free.pop());
                }
                long left = deadline - System.nanoTime();
                if (!taken.isEmpty() || left <= 0) {
                    break;
                }
                try {
                    // memory of a stuck transfer comes back to the arena without a word to us
                    long patience = spent > 0 ? Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)) : left;
                    if (changed.awaitNanos(patience) <= 0 && patience == left) {
                        break;
                    }
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            return taken;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void replaceSpent() {
        try {
            while (spent > 0) {
                free.push(lease());
                spent--;
            }
        } catch (StorageException stillStuck) {
            changed.signalAll();
        }
    }

    /** Lends nothing more; who waits is told at once. */
    void refuse() {
        lock.lock();
        try {
            refusing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the arena its memory back: now what is free, and the rest when it is given back. Idempotent. */
    void close() {
        lock.lock();
        try {
            refusing = true;
            closed = true;
            free.forEach(slot -> slot.lease.close());
            free.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
