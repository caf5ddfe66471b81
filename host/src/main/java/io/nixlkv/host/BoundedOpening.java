package io.nixlkv.host;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that touches storage while it opens, on a daemon thread of its own: a file system that is frozen or whose server is gone
 * does not answer, and its callers must. What opens too late is let go by that thread.
 */
final class BoundedOpening<T> {
    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final String FILES = "check that it is mounted, not frozen, and that its server is up";
    private static final String OBJECTS = "check its address, and that its server is up and can be reached from here";
    private static final Logger LOG = LoggerFactory.getLogger(BoundedOpening.class);

    /** What a person does about storage that does not answer. */
    enum Storage {
        /** In directories. */
        FILES(BoundedOpening.FILES),
        /** Behind a network. */
        OBJECTS(BoundedOpening.OBJECTS),
        /** Not known yet. */
        ANY(BoundedOpening.OBJECTS + "; of files " + BoundedOpening.FILES);

        private final String advice;

        Storage(String advice) {
            this.advice = advice;
        }
    }

    private final Supplier<T> opening;
    private final Consumer<T> letGo;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean answered;
    private T opened;
    private Throwable failure;
    private boolean abandoned;

    private BoundedOpening(Supplier<T> opening, Consumer<T> letGo) {
        this.opening = opening;
        this.letGo = letGo;
    }

    /**
     * Opens within a store's deadline, or 5 s where that is less.
     *
     * @param what subject of the complaint, with its place
     * @param storage what it is, for advice
     * @param letGo takes what opened too late
     * @throws StorageException TIMED_OUT if it did not open in time; else whatever {@code opening} throws
     */
    static <T> T within(Duration deadline, String what, Storage storage, Supplier<T> opening, Consumer<T> letGo) {
        Duration patience = deadline.compareTo(LEAST) < 0 ? LEAST : deadline;
        long nanos = patience.compareTo(LONGEST) < 0 ? patience.toNanos() : LONGEST.toNanos();
        return within(nanos, what, storage, opening, letGo);
    }

    static <T> T within(long nanos, String what, Storage storage, Supplier<T> opening, Consumer<T> letGo) {
        BoundedOpening<T> attempt = new BoundedOpening<>(opening, letGo);
        Thread thread = new Thread(attempt::run, "nixlkv-opening");
        thread.setDaemon(true);
        thread.start();
        attempt.await(System.nanoTime() + nanos);
        return attempt.result(what, storage, nanos);
    }

    private void run() {
        T made = null;
        Throwable thrown = null;
        try {
            made = opening.get();
        } catch (RuntimeException | Error refused) {
            thrown = refused;
        }
        boolean late;
        synchronized (this) {
            late = abandoned;
            answered = true;
            opened = made;
            failure = thrown;
        }
        ended.countDown();
        if (late && thrown == null) {
            LOG.warn("what did not open in time has opened now, and is closed");
            letGo.accept(made);
        }
    }

    private void await(long deadline) {
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                ended.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                waiting = false;
            } catch (InterruptedException hurried) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized T result(String what, Storage storage, long nanos) {
        if (!answered) {
            abandoned = true;
            throw new StorageException(
                    Status.TIMED_OUT,
                    what + " did not open within " + TimeUnit.NANOSECONDS.toMillis(nanos)
                            + " ms: the storage does not answer; " + storage.advice + ", then open the store again");
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
        return opened;
    }
}
