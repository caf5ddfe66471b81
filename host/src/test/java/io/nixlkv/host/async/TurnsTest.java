package io.nixlkv.host.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.api.RawKey;
import io.nixlkv.host.async.Turns.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
    private final Turns turns = new Turns();

    private static List<RawKey> keys(String... names) {
        return Stream.of(names).map(RawKey::new).toList();
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }

    @Test
    void aCallWaitsForTheLastOneOfEachOfItsKeys() {
        Turn a = turns.take(keys("a"));
        Turn b = turns.take(keys("b"));
        Turn both = turns.take(keys("a", "b"));
        Turn twice = turns.take(keys("b", "b"));
        Turn other = turns.take(keys("c"));
        assertTrue(a.hasCome() && b.hasCome() && other.hasCome());
        a.close();
        assertFalse(both.await(System.nanoTime()));
        b.close();
        assertTrue(both.hasCome());
        assertFalse(twice.hasCome());
        both.close();
        assertTrue(twice.hasCome());
        twice.close();
        other.close();
        assertEquals(0, turns.size());
    }

    @Test
    void behindACallThatGaveUpTheOrderHolds() {
        Turn first = turns.take(keys("a"));
        Turn impatient = turns.take(keys("a"));
        Turn third = turns.take(keys("a"));
        impatient.close();
        assertFalse(third.hasCome());
        first.close();
        assertTrue(third.await(soon()));
        third.close();
        assertTrue(turns.awaitAll(soon()));
        assertEquals(0, turns.size());
    }

    @Test
    void aLongRowOfCallsThatGaveUpEnds() {
        Turn first = turns.take(keys("a"));
        for (int i = 0; i < 10_000; i++) {
            turns.take(keys("a")).close();
        }
        first.close();
        assertTrue(turns.awaitAll(soon()));
        assertEquals(0, turns.size());
    }

    @Test
    void overlappingBatchesOfManyThreadsExcludeEachOtherAndEnd() {
        AtomicInteger[] busy = Stream.generate(AtomicInteger::new).limit(4).toArray(AtomicInteger[]::new);
        AtomicInteger clashes = new AtomicInteger();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 2000; i++) {
                            int x = ThreadLocalRandom.current().nextInt(4);
                            int y = (x + 1 + ThreadLocalRandom.current().nextInt(3)) % 4;
                            try (Turn turn = turns.take(keys("k" + x, "k" + y))) {
                                assertTrue(turn.await(soon()));
                                clashes.addAndGet(busy[x].getAndIncrement() + busy[y].getAndIncrement());
                                busy[x].decrementAndGet();
                                busy[y].decrementAndGet();
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        threads.forEach(CompletableFuture::join);
        assertEquals(0, clashes.get());
        assertEquals(0, turns.size());
    }
}
