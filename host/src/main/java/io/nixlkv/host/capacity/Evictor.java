package io.nixlkv.host.capacity;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.nixlkv.api.BatchResult;
import io.nixlkv.api.CallOptions;
import io.nixlkv.api.KvKey;
import io.nixlkv.api.KvStore;
import io.nixlkv.host.capacity.Candidates.Candidate;
import io.nixlkv.host.presence.KeyDigests;
import io.nixlkv.spi.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that counts the store when it starts, and makes room when asked: it lists the store, which corrects the account too,
 * and deletes the objects not used for longest. Where nothing may be evicted, it counts again when an object was refused. Callers
 * never wait for it.
 */
final class Evictor {
    private static final int DELETES_AT_ONCE = 256;
    private static final long FIRST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long RECOUNT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** At most one part of so many of the time is spent on counting anew. */
    private static final int RECOUNT_PARTS = 20;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CLOSE_MILLIS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);

    /** What it does now. */
    enum Phase {
        COUNTING,
        EVICTING,
        IDLE,
        FAILED
    }

    private final KvStore store;
    private final Census census;
    private final CapacitySettings settings;
    private final KeyDigests digests;
    private final Ledger ledger;
    private final Consumer<KvKey> gone;
    private final Thread thread = new Thread(this::run, "nixlkv-capacity");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Phase phase;
    private volatile boolean stopping;
    private volatile long evictedObjects;
    private volatile long evictedBytes;
    private volatile String lastFailure = "";
    private boolean roomWanted;
    private boolean countWanted;
    private boolean counted;
    private long nextCount = System.nanoTime();
    private long retry = FIRST_RETRY_NANOS;

    /** @param gone is told about each object that it deletes */
    Evictor(
            KvStore store,
            Census census,
            CapacitySettings settings,
            KeyDigests digests,
            Ledger ledger,
            Consumer<KvKey> gone) {
        this.store = store;
        this.census = census;
        this.settings = settings;
        this.digests = digests;
        this.ledger = ledger;
        this.gone = gone;
        phase = settings.counts() ? Phase.COUNTING : Phase.IDLE;
        countWanted = settings.counts();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether what is there has been counted, and room been made where it was too full, within {@code patience}. */
    boolean awaitStart(Duration patience) {
        try {
            return started.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Asks for room, if objects may be evicted. */
    void makeRoom() {
        if (settings.evicts()) {
            ask(true);
        }
    }

    /** An object was refused: asks for room, or else for a new count, since others may have deleted something. */
    void refused() {
        if (settings.evicts() || settings.counts()) {
            ask(settings.evicts());
        }
    }

    private void ask(boolean room) {
        lock.lock();
        try {
            roomWanted |= room;
            countWanted |= !room;
            asked.signal();
        } finally {
            lock.unlock();
        }
    }

    boolean isOverWatermark() {
        return ledger.used() >= settings.watermark() * settings.maxBytes();
    }

    private void run() {
        if (!settings.counts()) {
            started.countDown();
        }
        int tried = 0;
        for (Runnable work = next(); work != null; work = next()) {
            attempt(work);
            tried++;
            if (tried > 1 || !isRoomWanted()) {
                started.countDown();
            }
        }
    }

    private boolean isRoomWanted() {
        lock.lock();
        try {
            return roomWanted;
        } finally {
            lock.unlock();
        }
    }

    private void attempt(Runnable work) {
        try {
            work.run();
            phase = Phase.IDLE;
        } catch (RuntimeException | Error failed) {
            lastFailure = failed.toString();
            phase = Phase.FAILED;
            LOG.warn(
                    "the store's capacity could not be seen to; it is tried again later, and when room is wanted",
                    failed);
        }
    }

    /** Waits for work; {@code null} when it is time to end. */
    private Runnable next() {
        lock.lock();
        try {
            while (!stopping) {
                long left = nextCount - System.nanoTime();
                if (countWanted && left <= 0) {
                    countWanted = false;
                    return this::count;
                } else if (roomWanted) {
                    roomWanted = false;
                    return this::evict;
                } else if (countWanted) {
                    awaitNanos(left);
                } else {
                    asked.awaitUninterruptibly();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void count() {
        phase = Phase.COUNTING;
        long begin = System.nanoTime();
        boolean whole = false;
        try {
            survey(new Candidates(0), false);
            whole = true;
        } finally {
            ended(whole, System.nanoTime() - begin);
        }
        if (isOverWatermark()) {
            makeRoom();
        }
    }

    /** Settles when the next count may begin. One that failed is tried again, for until then the limit holds for new objects only. */
    private void ended(boolean whole, long took) {
        lock.lock();
        try {
            long pause = whole ? Math.max(RECOUNT_NANOS, RECOUNT_PARTS * took) : Math.max(retry, took);
            nextCount = System.nanoTime() + (whole && !counted ? 0 : pause);
            retry = whole ? FIRST_RETRY_NANOS : Math.min(2 * retry, LONGEST_RETRY_NANOS);
            counted |= whole;
            countWanted |= !whole;
        } finally {
            lock.unlock();
        }
    }

    private void evict() {
        phase = Phase.EVICTING;
        long target = Math.max(
                (long) (settings.ratio() * ledger.used()),
                ledger.used() - (long) (settings.watermark() * settings.maxBytes()));
        Candidates candidates = new Candidates(Math.max(1, target));
        survey(candidates, true);
        long before = evictedBytes;
        List<Candidate> chosen = candidates.chosen();
        for (int from = 0; from < chosen.size() && !stopping; from += DELETES_AT_ONCE) {
            delete(chosen.subList(from, Math.min(chosen.size(), from + DELETES_AT_ONCE)));
        }
        if (evictedBytes == before && isOverWatermark()) {
            LOG.warn(
                    "nothing could be evicted: {} bytes are stored, {} are allowed, and every object is in use",
                    ledger.used(),
                    settings.maxBytes());
            pause();
        } else if (isOverWatermark()) {
            makeRoom();
        }
    }

    /** Without a pause, a store full of leased objects would be listed without end. */
    private void pause() {
        lock.lock();
        try {
            for (long left = PAUSE_NANOS; left > 0 && !stopping; ) {
                left = awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private long awaitNanos(long nanos) {
        try {
            return asked.awaitNanos(nanos);
        } catch (InterruptedException nobodys) {
            LOG.debug("an interrupt of the capacity thread has no meaning");
            return 0;
        }
    }

    private void survey(Candidates candidates, boolean choose) {
        long now = System.currentTimeMillis();
        ledger.beginCount();
        boolean whole = false;
        try {
            census.run((key, length, lastUse) -> {
                HashValue128 digest = digests.of(key);
                ledger.count(digest, length);
                if (choose && !ledger.isLeased(digest, settings.lease())) {
                    long unused = ledger.secondsUnused(digest);
                    long millis = unused == Long.MAX_VALUE ? now - lastUse : unused * 1000;
                    candidates.offer(new Candidate(key, digest, length, millis));
                }
                return !stopping;
            });
            whole = !stopping;
        } finally {
            ledger.endCount(whole);
        }
        if (whole) {
            ledger.forgetOthers(settings.lease());
        }
    }

    private void delete(List<Candidate> some) {
        List<Candidate> left = some.stream()
                .filter(c -> !ledger.isLeased(c.digest(), settings.lease()))
                .toList();
        if (left.isEmpty()) {
            return;
        }
        BatchResult result = store.delete(left.stream().map(Candidate::key).toList(), CallOptions.DEFAULT);
        for (int i = 0; i < left.size(); i++) {
            Status status = result.get(i).status();
            if (status == Status.DONE || status == Status.MISSING) {
                ledger.remove(left.get(i).digest());
                gone.accept(left.get(i).key());
            }
            if (status == Status.DONE) {
                evictedObjects++;
                evictedBytes += left.get(i).bytes();
            }
        }
    }

    Phase phase() {
        return phase;
    }

    long evictedObjects() {
        return evictedObjects;
    }

    long evictedBytes() {
        return evictedBytes;
    }

    String lastFailure() {
        return lastFailure;
    }

    /** Ends its thread; waits for it a bounded time. */
    void close() {
        lock.lock();
        try {
            stopping = true;
            asked.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
