package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A plugin that misbehaves is named, and costs its caller little time. */
class GuardedStrategyTest {
    private static final StrategyInfo INFO = new StrategyInfo("ACME", Set.of(), "For tests.", 0, List.of());

    private static final class Acme implements StorageStrategy {
        private final Supplier<StorageBackend> opening;
        private final Supplier<List<EngineOffer>> probing;

        Acme(Supplier<StorageBackend> opening, Supplier<List<EngineOffer>> probing) {
            this.opening = opening;
            this.probing = probing;
        }

        @Override
        public StrategyInfo info() {
            return INFO;
        }

        @Override
        public List<EngineOffer> probe(StrategyConfig config) {
            return probing.get();
        }

        @Override
        public StorageBackend open(OpenContext context) {
            return opening.get();
        }
    }

    private static StorageException openingFails(Supplier<StorageBackend> opening) {
        StorageStrategy guarded = new GuardedStrategy(new Acme(opening, List::of), INFO, "acme.jar");
        return assertThrows(StorageException.class, () -> guarded.open(null));
    }

    private static StorageStrategy probing(Supplier<List<EngineOffer>> probe) {
        return new GuardedStrategy(new Acme(() -> null, probe), INFO, "acme.jar", Duration.ofMillis(200));
    }

    @Test
    void aMissingLibraryIsTheAuthorsToBundle() {
        StorageException refused = openingFails(() -> {
            throw new NoClassDefFoundError("com/acme/Sdk");
        });
        assertEquals(Status.FAILED, refused.status());
        assertEquals(
                "strategy ACME of acme.jar failed to open: class " + Acme.class.getName()
                        + " needs class com.acme.Sdk, which its jar does not contain; bundle it, since a plugin cannot see the"
                        + " host's libraries; this is a defect of the plugin: tell its author",
                refused.getMessage());
    }

    @Test
    void anExceptionThatNobodyExpectedNamesStrategyAndJar() {
        StorageException refused = openingFails(() -> {
            throw new IllegalStateException("boom");
        });
        assertTrue(refused.getMessage().startsWith("strategy ACME of acme.jar failed to open: "), refused.toString());
        assertTrue(refused.getMessage().contains("java.lang.IllegalStateException: boom"), refused.toString());
        assertEquals("boom", refused.getCause().getMessage());
    }

    @Test
    void noBackendIsADefect() {
        assertEquals(
                "strategy ACME of acme.jar failed to open: it returned no backend, a defect of the plugin; tell its author",
                openingFails(() -> null).getMessage());
    }

    @Test
    void whatThePluginSaysItselfIsNotReworded() {
        StorageException own = new StorageException(Status.DENIED, "bucket kv is another's");
        assertSame(own, openingFails(() -> {
            throw own;
        }));
    }

    @Test
    void aProbeThatDoesNotEndIsLeftBehind() {
        CountDownLatch never = new CountDownLatch(1);
        long start = System.nanoTime();
        StorageException silent = assertThrows(
                StorageException.class,
                () -> probing(() -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                throw new AssertionError("a plugin's thread is never interrupted", e);
                            }
                            return List.of();
                        })
                        .probe(null));
        assertTrue(System.nanoTime() - start < 3_000_000_000L);
        never.countDown();
        assertEquals(Status.TIMED_OUT, silent.status());
        assertEquals("strategy ACME of acme.jar did not answer within 200 ms", silent.getMessage());
    }

    @Test
    void whatAProbeAnswersOrThrowsReachesTheCaller() {
        assertEquals(List.of(), probing(List::of).probe(null));
        assertThrows(
                IllegalStateException.class,
                () -> probing(() -> {
                            throw new IllegalStateException("boom");
                        })
                        .probe(null));
    }
}
