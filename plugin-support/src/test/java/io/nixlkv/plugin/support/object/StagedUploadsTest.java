package io.nixlkv.plugin.support.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.DirectArena;
import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.ObjectVisitor;
import io.nixlkv.spi.PackedBatch;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No upload stays in the store that nobody can publish any more. */
class StagedUploadsTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int LENGTH = 100;

    private final Uploads store = new Uploads();
    private final ObjectBackend backend = new ObjectBackend(
            store,
            "a bucket",
            new Capabilities(EnumSet.allOf(Feature.class), 1, 1 << 20, 1000, 100),
            new KeyRules("", 1000),
            new RequestPool("test", 1),
            Map.of());
    private final DirectArena arena = new DirectArena(1 << 20);
    private final Lane lane = backend.openLane();

    @AfterEach
    void close() {
        store.gate.countDown();
        backend.close();
        assertEquals(Set.of(), store.open, "uploads in the store after closing");
    }

    private PackedBatch run(Op op, long nanos, Map<String, Long> tokens) {
        PackedBatch batch = new PackedBatch(arena, 4);
        batch.start(op, Mode.CREATE, false, System.nanoTime() + nanos, null);
        tokens.forEach((name, token) -> {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            batch.add(bytes, 0, bytes.length, 0, 0, 0, op == Op.DISCARD ? 0 : LENGTH, token);
        });
        lane.execute(batch);
        return batch;
    }

    private long stage(String name) {
        PackedBatch staged = run(Op.STAGE, PATIENCE, Map.of(name, 0L));
        assertEquals(Status.DONE, staged.status(0));
        return staged.token(0);
    }

    private void endsLate(Op op, long nanos, String name, long token) throws InterruptedException {
        assertEquals(Status.TIMED_OUT, run(op, nanos, Map.of(name, token)).status(0));
        assertEquals(name, store.discarded.poll(10, TimeUnit.SECONDS));
        assertEquals(
                Status.INVALID, run(Op.DISCARD, PATIENCE, Map.of(name, token)).status(0), "the token is spent");
        assertNull(store.discarded.poll());
    }

    @Test
    void aPublishPastItsDeadlineEndsTheUpload() throws InterruptedException {
        endsLate(Op.PUBLISH, -1, "k", stage("k"));
    }

    @Test
    void aDiscardPastItsDeadlineEndsTheUpload() throws InterruptedException {
        endsLate(Op.DISCARD, -1, "k", stage("k"));
    }

    @Test
    void aPublishThatWaitsForAThreadUntilItsDeadlineEndsTheUpload() throws InterruptedException {
        long token = stage("k");
        store.gate = new CountDownLatch(1);
        // The only thread of the pool.
        assertEquals(Status.TIMED_OUT, run(Op.STAGE, SHORT, Map.of("other", 0L)).status(0));
        assertEquals(
                Status.TIMED_OUT, run(Op.PUBLISH, SHORT, Map.of("k", token)).status(0));
        assertEquals("k", store.discarded.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void aStageThatEndsAfterItsDeadlineIsDiscarded() throws InterruptedException {
        store.gate = new CountDownLatch(1);
        assertEquals(Status.TIMED_OUT, run(Op.STAGE, SHORT, Map.of("k", 0L)).status(0));
        store.gate.countDown();
        assertEquals("k", store.discarded.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void anotherKeyDoesNotSpendAToken() {
        long token = stage("k");
        assertEquals(
                Status.INVALID,
                run(Op.PUBLISH, PATIENCE, Map.of("other", token)).status(0));
        assertEquals(Status.DONE, run(Op.PUBLISH, PATIENCE, Map.of("k", token)).status(0));
    }

    @Test
    void oneDiscardThatFailsAtClosingLeavesTheOthers() {
        stage("a");
        stage("b");
        stage("c");
        store.failures = 1;
        backend.close();
        assertEquals(Set.of(), store.open);
    }

    @Test
    void aDiscardThatFailedIsTriedAgainAtClosing() {
        long token = stage("k");
        store.failures = 2;
        assertEquals(
                Status.FAILED, run(Op.DISCARD, PATIENCE, Map.of("k", token)).status(0));
        backend.close();
        assertEquals(Set.of(), store.open);
    }

    /** Uploads in memory. */
    private static final class Uploads implements ObjectStore {
        final Set<String> open = ConcurrentHashMap.newKeySet();
        final BlockingQueue<String> discarded = new LinkedBlockingQueue<>();
        volatile CountDownLatch gate = new CountDownLatch(0);
        private int failures;

        @Override
        public Staged stage(String key, Slice body) {
            open.add(key);
            try {
                assertTrue(gate.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return new Staged(key, body.length(), "u", List.of());
        }

        @Override
        public Answer publish(Staged staged, Mode mode) {
            open.remove(staged.name());
            return Answer.done(staged.length());
        }

        @Override
        public synchronized void discard(Staged staged) {
            assertFalse(Exchange.current().cancelled());
            if (failures-- > 0) {
                throw new IllegalStateException("not now");
            }
            open.remove(staged.name());
            discarded.add(staged.name());
        }

        @Override
        public Answer put(String key, Slice body, Mode mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer get(String key, Slice target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer head(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int deleteGroup() {
            return 1;
        }

        @Override
        public List<Answer> delete(List<String> keys) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void list(String prefix, ObjectVisitor visitor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer explain(Throwable failure) {
            return Answer.failed(Status.FAILED, 0, failure.toString());
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }
}
