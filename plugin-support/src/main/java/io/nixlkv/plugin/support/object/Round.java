package io.nixlkv.plugin.support.object;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The works of one batch: shared out to the pool's threads, awaited by the lane until the deadline, then abandoned. */
final class Round {
    /** Takes the answers of a work, or the failure that ended it; called once for each work, from any thread. */
    interface Results {
        void answered(Work work, List<Answer> answers);

        void failed(Work work, Throwable failure);

        void late(Work work);
    }

    private final List<Work> works;
    private final Results results;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch left;

    Round(List<Work> works, Results results) {
        this.works = works;
        this.results = results;
        left = new CountDownLatch(works.size());
    }

    /** Runs every work and returns when each has been handed to the results. */
    void run(Executor pool, int threads, long deadline) {
        try {
            for (int i = Math.min(threads, works.size()); i > 0; i--) {
                pool.execute(this::help);
            }
        } catch (RejectedExecutionException closing) {
            // The backend is being closed: what nobody takes any more ends here, most likely as a failure.
            help();
        }
        if (await(deadline)) {
            return;
        }
        for (Work work : works) {
            if (work.end()) {
                work.abandon();
                results.late(work);
                left.countDown();
            }
        }
        // Works that ended in this moment are handing over their results.
        await(Long.MAX_VALUE);
    }

    private void help() {
        for (int at = next.getAndIncrement(); at < works.size(); at = next.getAndIncrement()) {
            Work work = works.get(at);
            if (!work.ended()) {
                perform(work);
            }
        }
    }

    private void perform(Work work) {
        List<Answer> answers = null;
        Throwable failure = null;
        try {
            answers = work.run();
        } catch (RuntimeException | Error thrown) {
            failure = thrown;
        }
        if (!work.end()) {
            work.endedLate();
            return;
        }
        try {
            if (failure == null) {
                results.answered(work, answers);
            } else {
                results.failed(work, failure);
            }
        } finally {
            left.countDown();
        }
    }

    private boolean await(long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (deadline == Long.MAX_VALUE) {
                        left.await();
                        return true;
                    }
                    return left.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
