package io.nixlkv.host.cleaner;

import io.nixlkv.api.KvKey;
import io.nixlkv.host.cleaner.CleaningReport.Outcome;
import io.nixlkv.host.config.CleanerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cleaner of one store: a daemon thread that looks every few seconds how full its file systems are, leads its directories or
 * waits for them, and makes passes. Whatever goes wrong in a pass is logged, and the next one comes. Thread-safe.
 */
public final class Cleaner implements AutoCloseable {
    /**
     * How long it waits.
     *
     * @param look between two looks at the use of the file systems, which cost a system call each
     * @param pass between two passes over the objects
     * @param close for its thread to end
     */
    record Pace(Duration look, Duration pass, Duration close) {
        static final Pace USUAL = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(5));
    }

    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final Duration SWEEP = Duration.ofMinutes(1);
    private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(2);

    /** At most one part of so many of the time is spent on counting what a budget does not yet refuse. */
    private static final int IDLE_PARTS = 20;

    private static final int MOST_USELESS = 16;
    private static final Logger LOG = LoggerFactory.getLogger(Cleaner.class);

    private final List<Path> directories;
    private final Ownership ownership;
    private final CleanerSettings settings;
    private final String scope;
    private final LongConsumer sweep;
    private final Duration firstDelay;
    private final Pace pace;
    private final Thread thread = new Thread(this::work, "nixlkv-cleaner");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private final CleanerLog log;
    private volatile boolean stopping;
    private volatile String leader = "not yet decided";
    private Predicate<KvKey> leased = key -> false;
    private Consumer<KvKey> gone = key -> {};
    private LeaderLock seats;
    private boolean early;
    private boolean useless;
    private int uselessInARow;
    private long nextSweep;

    /**
     * @param directories of the store, as configured; links to directories are resolved once
     * @param scope see {@link Ownership#scope}
     * @param sweep removes what ended processes left behind, until the {@link System#nanoTime()} value it gets
     * @param firstDelay until the first pass
     */
    public Cleaner(
            List<Path> directories,
            Ownership ownership,
            CleanerSettings settings,
            String scope,
            LongConsumer sweep,
            Duration firstDelay) {
        this(directories, ownership, settings, scope, sweep, firstDelay, Pace.USUAL);
    }

    Cleaner(
            List<Path> directories,
            Ownership ownership,
            CleanerSettings settings,
            String scope,
            LongConsumer sweep,
            Duration firstDelay,
            Pace pace) {
        this.pace = pace;
        this.directories = List.copyOf(directories);
        this.ownership = ownership;
        this.settings = settings;
        this.scope = scope;
        this.sweep = sweep;
        this.firstDelay = firstDelay;
        log = new CleanerLog(directories.toString());
        thread.setDaemon(true);
    }

    /**
     * Starts it, once.
     *
     * @param leases whether somebody counts on an object
     * @param deleted is told about each object that is deleted, on the cleaner's thread
     */
    public void start(Predicate<KvKey> leases, Consumer<KvKey> deleted) {
        leased = leases;
        gone = deleted;
        nextSweep = System.nanoTime() + SWEEP.toNanos();
        thread.start();
    }

    /** A file system is full now: does not wait for the next look. */
    void hurry() {
        lock.lock();
        try {
            early = true;
            asked.signal();
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        Duration pause = firstDelay;
        while (await(pause)) {
            pause = tick();
        }
        try {
            if (seats != null) {
                seats.close();
            }
        } catch (IOException failed) {
            LOG.warn("{}: the cleaner's lock could not be closed: {}", directories, failed.toString());
        }
    }

    private Duration tick() {
        try {
            return pass();
        } catch (IOException | RuntimeException | Error failed) {
            log.failed(failed);
            return pace.pass();
        }
    }

    private Duration pass() throws IOException {
        if (seats == null) {
            List<Path> real = new ArrayList<>();
            for (Path directory : directories) {
                real.add(directory.toRealPath());
            }
            seats = new LeaderLock(real, scope);
        }
        List<Path> led = seats.renew();
        leader = seats.state();
        if (led.isEmpty()) {
            return pace.look();
        }
        if (System.nanoTime() - nextSweep >= 0) {
            sweep.accept(System.nanoTime() + SWEEP_PATIENCE.toNanos());
            nextSweep = System.nanoTime() + SWEEP.toNanos();
        }
        CleaningTask task = new CleaningTask(led, ownership, settings, false, false, CleaningTask.FILES_IN_BACKGROUND);
        CleaningReport report = new CleaningPass(task, new Watch()).run();
        log.note(report);
        return pause(report);
    }

    private Duration pause(CleaningReport report) {
        Outcome outcome = report.outcome();
        boolean inUse = report.leased() + report.changed() > 0;
        useless = outcome == Outcome.EXHAUSTED && !inUse || outcome == Outcome.HOPELESS || outcome == Outcome.STUCK;
        uselessInARow = useless ? Math.min(uselessInARow + 1, MOST_USELESS) : 0;
        if (useless) {
            Duration longer = pace.pass().multipliedBy(1L << uselessInARow - 1);
            return longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        } else if (settings.capacityBytes() == 0 || report.surveyed() == 0) {
            return pace.look();
        }
        Duration share = report.took().multipliedBy(outcome == Outcome.COOL ? IDLE_PARTS : 0);
        return share.compareTo(pace.pass()) > 0 ? share : pace.pass();
    }

    private final class Watch implements CleaningWatch {
        @Override
        public boolean stopped() {
            return stopping;
        }

        @Override
        public boolean leased(KvKey key) {
            return leased.test(key);
        }

        @Override
        public void gone(KvKey key) {
            gone.accept(key);
        }
    }

    /** Waits; false when it is time to end. Called early, it goes on after a second, or, if passes do not help, as usual. */
    private boolean await(Duration pause) {
        long now = System.nanoTime();
        long end = now + pause.toNanos();
        long soonest = now + (useless ? Math.min(pause.toNanos(), pace.pass().toNanos()) : TimeUnit.SECONDS.toNanos(1));
        lock.lock();
        try {
            while (!stopping) {
                long left = (early && soonest - end < 0 ? soonest : end) - System.nanoTime();
                if (left <= 0) {
                    early = false;
                    return true;
                }
                asked.awaitNanos(left);
            }
        } catch (InterruptedException nobodys) {
            LOG.debug("an interrupt of the cleaner's thread has no meaning");
        } finally {
            lock.unlock();
        }
        return !stopping;
    }

    /** What it is and did, for status. */
    Map<String, Object> describe() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("enabled", true);
        details.put("scope", scope);
        details.put("leader", leader);
        details.put("high_watermark", settings.high());
        details.put("low_watermark", settings.low());
        if (settings.capacityBytes() > 0) {
            details.put("capacity_bytes", settings.capacityBytes());
        }
        log.describe(details);
        return details;
    }

    /** Ends its thread, waiting a few seconds at most: a file system that does not answer keeps only that thread. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
            asked.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(pace.close().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn(
                    "{}: the cleaner did not end within {} s; its thread is left behind",
                    directories,
                    pace.close().toSeconds());
        }
    }
}
