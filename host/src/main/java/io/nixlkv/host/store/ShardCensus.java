package io.nixlkv.host.store;

import io.nixlkv.host.layout.Layout;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.StorageBackend;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once when an opened store holds names of the other value of {@code shard_dirs}, which are invisible in it. Looks at a bounded
 * number of names on a thread of its own; opening a store waits for a small one only.
 */
final class ShardCensus {
    private static final int MAX_NAMES = 20_000;
    private static final long PATIENCE_MILLIS = 200;
    private static final Logger LOG = LoggerFactory.getLogger(ShardCensus.class);

    private final StoreSpec spec;
    private final StorageBackend backend;
    private volatile boolean stopped;
    private long own;
    private long others;

    private ShardCensus(StoreSpec spec, StorageBackend backend) {
        this.spec = spec;
        this.backend = backend;
    }

    static ShardCensus start(StoreSpec spec, StorageBackend backend) {
        ShardCensus census = new ShardCensus(spec, backend);
        if (spec.layout().canBeSharded() && spec.engine().can().has(Feature.LIST)) {
            Thread thread = new Thread(census::run, "nixlkv-shard-census");
            thread.setDaemon(true);
            thread.start();
            awaitSmall(thread);
        }
        return census;
    }

    private static void awaitSmall(Thread thread) {
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the look soon. */
    void stop() {
        stopped = true;
    }

    private void run() {
        try {
            long deadline = System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(spec.deadline().toMillis());
            for (int root = 0; root < backend.roots() && !stopped; root++) {
                backend.list(root, "", deadline, (name, length, lastUse) -> count(spec.layout(), name));
            }
        } catch (RuntimeException refused) { // also whatever a backend throws that is closed meanwhile
            LOG.debug("{}: names were not all looked at", spec.name(), refused);
        }
        if (others > 0 && !stopped) {
            LOG.warn(
                    "{} holds {}{} objects named for the other value of shard_dirs, which are invisible here, and {} of this"
                            + " one; set shard_dirs as their writer does, or bring them over with \"nixlkv import\"",
                    spec.name(),
                    own + others >= MAX_NAMES ? "at least " : "",
                    others,
                    own);
        }
    }

    private boolean count(Layout layout, String name) {
        if (layout.isOfOtherSharding(name)) {
            others++;
        } else if (layout.parseName(name).isPresent()) {
            own++;
        }
        return !stopped && own + others < MAX_NAMES;
    }
}
