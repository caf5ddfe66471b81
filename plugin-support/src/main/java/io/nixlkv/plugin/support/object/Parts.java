package io.nixlkv.plugin.support.object;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the parts of one object: the calling thread, and as many of the pool's threads as happen to be free. Nobody waits for a
 * thread that is not at work already, so a pool full of such callers cannot lock up.
 */
public final class Parts {
    /** Sends one part. */
    @FunctionalInterface
    public interface Sender {
        /** @return what the store calls the part */
        String send(int number, int from, int count);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    private final int partSize;
    private final int length;
    private final int count;
    private final Sender sender;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<String> sent;
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final CountDownLatch left;

    /**
     * @param length of the object, bytes, at least 1
     * @param partSize bytes of a part; the last one may be smaller
     */
    public Parts(int length, int partSize, Sender sender) {
        this.length = length;
        this.partSize = partSize;
        this.sender = sender;
        count = (int) (((long) length + partSize - 1) / partSize);
        sent = new AtomicReferenceArray<>(count);
        left = new CountDownLatch(count);
    }

    /**
     * Sends all parts, within the calling thread's exchange.
     *
     * @return what the store calls them, in order
     * @throws RuntimeException the first failure, when no part is under way any more
     */
    public List<String> send(RequestPool pool) {
        try {
            callHelp(pool, Exchange.current());
        } catch (RejectedExecutionException closing) {
            LOG.debug("no help for the parts of an object: the backend is being closed");
        }
        work();
        await();
        if (failure.get() != null) {
            throw failure.get();
        }
        return IntStream.range(0, count).mapToObj(sent::get).toList();
    }

    private void callHelp(RequestPool pool, Exchange exchange) {
        for (int i = 1; i < Math.min(count, pool.size()); i++) {
            Exchange fork = exchange.fork();
            pool.execute(() -> {
                fork.enter();
                try {
                    work();
                } finally {
                    fork.leave();
                }
            });
        }
    }

    private void work() {
        for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
            try {
                if (failure.get() == null) {
                    int from = number * partSize;
                    sent.set(number, sender.send(number, from, Math.min(partSize, length - from)));
                }
            } catch (RuntimeException failed) {
                failure.compareAndSet(null, failed);
            } finally {
                left.countDown();
            }
        }
    }

    private void await() {
        boolean interrupted = false;
        while (true) {
            try {
                left.await();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
