package io.nixlkv.cli;

import io.nixlkv.host.KvHost;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The host of one command. A signal that ends the process lets the command clean up and close its stores, for a bounded time: short
 * when the command does not notice, since it waits for storage then. What is left over is swept by the next start.
 */
final class Session implements AutoCloseable {
    private static final long NOTICE_SECONDS = 2;
    private static final long CLEAN_UP_SECONDS = 10;

    private final KvHost host;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::endedBySignal, "nixlkv-shutdown");
    private volatile boolean stopping;
    private volatile boolean noticed;

    private Session(KvHost host) {
        this.host = host;
    }

    static Session start(Path plugins) {
        Session session = new Session(KvHost.startBriefly(plugins));
        Runtime.getRuntime().addShutdownHook(session.hook);
        return session;
    }

    KvHost host() {
        return host;
    }

    /** Whether a signal asked the process to end; long work then stops early and cleans up. */
    boolean stopping() {
        if (stopping) {
            noticed = true;
        }
        return stopping;
    }

    /** What the shutdown hook does; the process ends when it returns. */
    void endedBySignal() {
        stopping = true;
        try {
            if (!done.await(NOTICE_SECONDS, TimeUnit.SECONDS) && noticed) {
                done.await(CLEAN_UP_SECONDS - NOTICE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        host.close();
        done.countDown();
        if (!stopping) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException shuttingDown) {
                stopping = true; // the hook runs already and finds the work done
            }
        }
    }
}
