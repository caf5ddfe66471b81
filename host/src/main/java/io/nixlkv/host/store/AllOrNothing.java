package io.nixlkv.host.store;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Stores a batch as a whole: stages every object on all lanes, then publishes, or discards if any could not be staged. If
 * publishing itself fails half-way, only what this batch created is taken back, and only where nobody else writes; elsewhere
 * another writer may already rely on it, and the results say per object what is there.
 */
final class AllOrNothing {
    /** What cleaning up may add to a call whose deadline is over or near. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The caller does not wait for it, and all workers are busy when it is needed. */
    private static final long LATE_DISCARD_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Workers workers;
    private final boolean takesBack;
    private final Consumer<Call> done;

    /**
     * @param exclusive whether nobody else writes to the store
     * @param done gets the staging call with the final results in it; must not block
     */
    AllOrNothing(Workers workers, boolean exclusive, Mode mode, Consumer<Call> done) {
        this.workers = workers;
        this.takesBack = exclusive && mode == Mode.CREATE;
        this.done = done;
    }

    /** To be given to the staging call as what follows it. */
    void staged(Call staging) {
        int bad = first(staging, status -> !status.stored());
        int[] tokens = items(staging, status -> status == Status.DONE);
        if (bad < 0 && tokens.length == 0) {
            done.accept(staging);
        } else if (bad < 0) {
            Call publish =
                    staging.follow(Op.PUBLISH, staging.deadline(), tokens, call -> published(staging, tokens, call));
            submit(publish, refused -> drop(staging, tokens, refused.status(), refused.getMessage()));
        } else {
            String why = "not stored, since the batch is all-or-nothing and another object failed: "
                    + staging.status(bad) + (staging.sentence(bad) == null ? "" : ", " + staging.sentence(bad));
            drop(staging, tokens, Status.FAILED, why);
        }
    }

    private void drop(Call staging, int[] tokens, Status status, String why) {
        for (int item = 0; item < staging.size(); item++) {
            if (staging.status(item).stored()) {
                staging.end(item, status, why);
            }
        }
        if (tokens.length == 0) {
            done.accept(staging);
            return;
        }
        Call discard = staging.follow(Op.DISCARD, soon(staging), tokens, call -> {
            discardUnspent(call);
            done.accept(staging);
        });
        submit(discard, refused -> done.accept(staging));
    }

    private void published(Call staging, int[] items, Call publish) {
        for (int i = 0; i < items.length; i++) {
            staging.end(items[i], publish, i);
        }
        discardUnspent(publish);
        int bad = first(staging, status -> !status.stored());
        int[] created = items(publish, status -> status == Status.DONE);
        if (bad < 0 || !takesBack || created.length == 0) {
            done.accept(staging);
            return;
        }
        Call takeBack = publish.follow(Op.DELETE, soon(publish), created, call -> {
            for (int i = 0; i < created.length; i++) {
                if (call.status(i) == Status.DONE) {
                    staging.end(
                            items[created[i]],
                            Status.FAILED,
                            "taken back, since the batch is all-or-nothing and another object could not be published");
                }
            }
            done.accept(staging);
        });
        submit(takeBack, refused -> done.accept(staging));
    }

    /** The deadline of a call that cleans up after {@code call}, whose caller waits for both. */
    private static long soon(Call call) {
        long now = System.nanoTime();
        return now + Math.max(GRACE_NANOS, call.deadline() - now);
    }

    /** Forgets what no lane was given to publish or discard in time: no lane will, and its space is needed. */
    private void discardUnspent(Call call) {
        int[] unspent = IntStream.range(0, call.size())
                .filter(item -> !call.handed(item))
                .toArray();
        if (unspent.length > 0) {
            submit(call.follow(Op.DISCARD, System.nanoTime() + LATE_DISCARD_NANOS, unspent, late -> {}), closed -> {});
        }
    }

    /** A store that closes meanwhile takes no more calls; what is staged goes with the backend. */
    private void submit(Call call, Consumer<StorageException> otherwise) {
        try {
            workers.submit(call);
        } catch (StorageException closed) {
            otherwise.accept(closed);
        }
    }

    private static int first(Call call, Predicate<Status> wanted) {
        return IntStream.range(0, call.size())
                .filter(item -> wanted.test(call.status(item)))
                .findFirst()
                .orElse(-1);
    }

    private static int[] items(Call call, Predicate<Status> wanted) {
        return IntStream.range(0, call.size())
                .filter(item -> wanted.test(call.status(item)))
                .toArray();
    }
}
