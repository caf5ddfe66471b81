package io.nixlkv.host.discovery;

import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A plugin's strategy as the host calls it: a probe that does not end is left behind, and whatever an opening throws beside a
 * {@link StorageException} says which plugin is at fault. Thread-safe.
 *
 * @param plugin the strategy itself
 * @param info what it said about itself
 * @param source its jar
 * @param patience for a probe that looks at files and host memory
 */
record GuardedStrategy(StorageStrategy plugin, StrategyInfo info, String source, Duration patience)
        implements StorageStrategy {
    /** The contract says a second; a busy machine gets three. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** The contract says ten. */
    private static final Duration DEVICE_PATIENCE = Duration.ofSeconds(15);

    GuardedStrategy(StorageStrategy plugin, StrategyInfo info, String source) {
        this(plugin, info, source, PATIENCE);
    }

    /** @throws StorageException TIMED_OUT if the plugin does not answer; a daemon thread is left to it then */
    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        return answered(() -> plugin.probe(config), patience);
    }

    /** @throws StorageException TIMED_OUT if the plugin does not answer; a daemon thread is left to it then */
    @Override
    public List<EngineOffer> probe(StrategyConfig config, Segment memory) {
        return answered(() -> plugin.probe(config, memory), memory == Segment.DRAM_SEG ? patience : DEVICE_PATIENCE);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        StorageBackend backend;
        try {
            backend = plugin.open(context);
        } catch (StorageException told) {
            throw told;
        } catch (Throwable thrown) {
            throw new StorageException(
                    Status.FAILED,
                    subject() + " failed to open: "
                            + Failures.reason("opening", plugin.getClass().getName(), thrown)
                            + "; this is a defect of the plugin: tell its author",
                    thrown);
        }
        if (backend == null) {
            throw new StorageException(
                    Status.FAILED,
                    subject() + " failed to open: it returned no backend, a defect of the plugin; tell its author");
        }
        return backend;
    }

    @Override
    public Optional<StorageStrategy> adopt(String name) {
        return plugin.adopt(name);
    }

    private String subject() {
        return "strategy " + info.name() + " of " + source;
    }

    private <T> T answered(Supplier<T> question, Duration limit) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread asking = new Thread(
                () -> {
                    try {
                        answer.complete(question.get());
                    } catch (Throwable thrown) {
                        answer.completeExceptionally(thrown);
                    }
                },
                "nixlkv-probe-" + info.name());
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            throw new StorageException(
                    Status.TIMED_OUT, subject() + " did not answer within " + limit.toMillis() + " ms", silent);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new StorageException(Status.UNAVAILABLE, "interrupted while probing " + subject(), hurried);
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        }
    }

    private static RuntimeException rethrown(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }
}
