package io.nixlkv.host.store;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that execute tiles, each with a lane of its own, and the clock that ends calls at their deadline. A worker whose
 * lane is stuck past a deadline is replaced, as long as no more than as many are stuck as there are workers; it leaves when its
 * lane returns. Workers are never interrupted.
 */
final class Workers {
    /** Time a lane has, after the deadline, to come back with its own answers. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time for discarding what a timed-out call had staged. */
    private static final long DISCARD_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time for the lanes of a store that could not be opened to be closed. */
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How often deadlines are looked at while calls are open: an alarm set and cancelled for each call costs two thread switches. */
    private static final long TICK_MILLIS = 25;

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /** The tiles of an open call, and when they expire. */
    private static final class Alarm {
        private final List<Tile> tiles;
        private final long at;

        Alarm(List<Tile> tiles, long at) {
            this.tiles = tiles;
            this.at = at;
        }
    }

    private final String name;
    private final StorageBackend backend;
    private final HostArena arena;
    private final int wanted;
    private final int maxBatch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition left = lock.newCondition();
    private final ArrayDeque<Tile> queue = new ArrayDeque<>();
    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock;
    private int alive;
    private int serving;
    private int stuck;
    private int started;
    private boolean closing;
    private Runnable whenLeft = () -> {};

    /** @throws StorageException if the first lanes cannot be opened */
    Workers(String name, StorageBackend backend, HostArena arena, int wanted, int maxBatch) {
        this.name = name;
        this.backend = backend;
        this.arena = arena;
        this.wanted = wanted;
        this.maxBatch = maxBatch;
        clock = new ScheduledThreadPoolExecutor(1, task -> daemon(task, name + "-clock"));
        lock.lock();
        try {
            for (int i = 0; i < wanted; i++) {
                start(backend.openLane());
            }
        } catch (RuntimeException refused) {
            closing = true;
            work.signalAll();
            clock.shutdown();
            awaitLeft(System.nanoTime() + LEAVING_NANOS);
            throw refused;
        } finally {
            lock.unlock();
        }
    }

    int wanted() {
        return wanted;
    }

    int stuck() {
        lock.lock();
        try {
            return stuck;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Queues a call and sets its clock.
     *
     * @throws StorageException UNAVAILABLE if the store is closed
     */
    void submit(Call call) {
        List<Tile> tiles = call.cut(wanted, maxBatch);
        arena.hold(tiles);
        lock.lock();
        try {
            if (closing) {
                tiles.forEach(Tile::letGo);
                throw new StorageException(Status.UNAVAILABLE, name + " is closed");
            }
            Alarm alarm = new Alarm(tiles, call.deadline() + GRACE_NANOS);
            call.onEnd(() -> alarms.remove(alarm));
            alarms.add(alarm);
            arm();
            queue.addAll(tiles);
            replaceMissing();
            if (tiles.size() == 1) {
                work.signal();
            } else {
                work.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Calls that are still open keep the clock until they have ended or expired. */
    private void endClock() {
        clock.execute(() -> {
            if (alarms.isEmpty()) {
                clock.shutdown();
            } else {
                clock.schedule(this::endClock, TICK_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void arm() {
        if (ticking.compareAndSet(false, true)) {
            clock.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tick() {
        long now = System.nanoTime();
        try {
            for (Alarm alarm : alarms) {
                if (now - alarm.at >= 0 && alarms.remove(alarm)) {
                    expire(alarm.tiles);
                }
            }
        } finally {
            ticking.set(false);
            if (!alarms.isEmpty()) {
                arm();
            }
        }
    }

    private void expire(List<Tile> tiles) {
        lock.lock();
        try {
            queue.removeAll(tiles);
        } finally {
            lock.unlock();
        }
        for (Tile tile : tiles) {
            int nowStuck = countStuck(1);
            if (tile.expire()) {
                LOG.warn(
                        "{}: a worker is stuck past its deadline with {} object(s); {} of {} are stuck",
                        name,
                        tile.size(),
                        nowStuck,
                        wanted);
                replaceMissing();
            } else {
                countStuck(-1);
            }
        }
    }

    /** Counted before the tile is expired: its worker may be back at once, and takes itself off. */
    private int countStuck(int change) {
        lock.lock();
        try {
            stuck += change;
            work.signalAll();
            return stuck;
        } finally {
            lock.unlock();
        }
    }

    /** Starts what is missing because workers are stuck, or have died of something that even they could not survive. */
    private void replaceMissing() {
        lock.lock();
        try {
            while (!closing && serving < Math.min(wanted + stuck, 2 * wanted)) {
                start(null);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counted once it runs for sure: a thread may be refused. */
    private void start(Lane lane) {
        daemon(() -> run(lane), name + "-" + started++).start();
        alive++;
        serving++;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void run(Lane first) {
        Lane lane = first;
        boolean dismissed = false;
        try {
            PackedBatch batch = new PackedBatch(arena.memory(), maxBatch);
            for (Tile tile = next(); tile != null; tile = next()) {
                lane = execute(tile, batch, lane);
            }
            dismissed = true;
        } finally {
            close(lane);
            Runnable last = () -> {};
            lock.lock();
            try {
                alive--;
                serving -= dismissed ? 0 : 1;
                left.signalAll();
                if (closing && alive == 0) {
                    last = whenLeft;
                    whenLeft = () -> {};
                }
            } finally {
                lock.unlock();
            }
            last.run();
        }
    }

    /** Runs {@code action} once every worker has left: at once, or by the last one. To be called after {@link #close}, once. */
    void whenLeft(Runnable action) {
        lock.lock();
        try {
            if (alive > 0) {
                whenLeft = action;
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** The next tile; {@code null} when this worker is to leave. */
    private Tile next() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing && serving - stuck <= wanted) {
                work.awaitUninterruptibly();
            }
            if (closing && queue.isEmpty() || serving - stuck > wanted) {
                // counted here, under the lock: two that come back at once must not both think that they are the one
                // too many
                serving--;
                return null;
            }
            return queue.poll();
        } finally {
            lock.unlock();
        }
    }

    private Lane execute(Tile tile, PackedBatch batch, Lane present) {
        Lane lane = present;
        if (lane == null) {
            try {
                lane = backend.openLane();
            } catch (RuntimeException refused) {
                tile.refuse(Status.UNAVAILABLE, "no lane could be opened: " + refused.getMessage());
                return null;
            } catch (Error defect) {
                LOG.error("{}: no lane could be opened", name, defect);
                tile.refuse(Status.UNAVAILABLE, "no lane could be opened: " + defect);
                return null;
            }
        }
        if (!tile.begin(batch)) {
            return lane;
        }
        Throwable defect = null;
        try {
            lane.execute(batch);
        } catch (RuntimeException | Error thrown) {
            defect = thrown;
            LOG.error("{}: the engine threw out of a batch; its lane is replaced", name, thrown);
        }
        if (!tile.end(defect)) {
            afterExpiry(tile, batch, lane);
        }
        if (defect != null) {
            close(lane);
            return null;
        }
        return lane;
    }

    private void afterExpiry(Tile tile, PackedBatch batch, Lane lane) {
        int[] orphans = tile.orphans();
        if (orphans.length > 0) {
            discard(orphans, batch, lane);
        }
        tile.laneReturned();
        LOG.warn("{}: a stuck worker came back; {} still stuck", name, countStuck(-1));
    }

    private void discard(int[] orphans, PackedBatch staged, Lane lane) {
        PackedBatch batch = new PackedBatch(arena.memory(), orphans.length);
        batch.start(Op.DISCARD, staged.mode(), false, System.nanoTime() + DISCARD_NANOS, null);
        for (int item : orphans) {
            byte[] object = staged.name(item).getBytes(StandardCharsets.UTF_8);
            batch.add(
                    object,
                    0,
                    object.length,
                    staged.root(item),
                    staged.segment(item),
                    staged.offset(item),
                    0,
                    staged.token(item));
        }
        try {
            lane.execute(batch);
        } catch (RuntimeException | Error thrown) {
            LOG.warn(
                    "{}: {} staged object(s) of a timed-out call could not be discarded", name, orphans.length, thrown);
        }
    }

    private void close(Lane lane) {
        if (lane == null) {
            return;
        }
        try {
            lane.close();
        } catch (RuntimeException | Error failed) {
            LOG.warn("{}: closing a lane failed", name, failed);
        }
    }

    /**
     * Takes no more calls, lets the queued ones run, and waits for the workers.
     *
     * @param deadline {@link System#nanoTime()} value
     * @return whether every worker has left
     */
    boolean close(long deadline) {
        lock.lock();
        try {
            closing = true;
            work.signalAll();
            awaitLeft(deadline);
            for (Tile tile = queue.poll(); tile != null; tile = queue.poll()) {
                tile.refuse(Status.UNAVAILABLE, "the store was closed");
            }
            return alive == 0;
        } finally {
            lock.unlock();
            endClock();
        }
    }

    /** Under the lock. */
    private void awaitLeft(long deadline) {
        boolean interrupted = false;
        while (alive > 0 && deadline - System.nanoTime() > 0) {
            try {
                left.awaitNanos(deadline - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
