package io.nixlkv.spi.tck;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several lanes on the same objects at the same time. */
interface ConcurrencyRules extends UnderTest {
    int WRITES = 150;
    int LENGTH = 150_001;

    @Test
    default void readersOfAReplacedObjectSeeWholeVersionsOnly() throws Exception {
        if (!store().has(Feature.REPLACE)) {
            Rule.UNDECLARED.expect(store().write(Mode.REPLACE, "hot", new Content(1, LENGTH)), Status.UNSUPPORTED);
            return;
        }
        Rule.REPLACE.expect(store().write(Mode.REPLACE, "hot", new Content(0, LENGTH)), Status.DONE);
        AtomicInteger writing = new AtomicInteger(2);
        AtomicBoolean stop = new AtomicBoolean();
        List<Callable<Void>> threads = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            int me = writer;
            threads.add(onLane(lane -> {
                try {
                    for (int i = 1; i <= WRITES && !stop.get(); i++) {
                        store().transfer(lane, store().area(me, 4), Op.WRITE, Mode.REPLACE)
                                .put("hot", new Content(me + 2L * i, LENGTH))
                                .run()
                                .all(Rule.REPLACE, Status.DONE);
                    }
                } finally {
                    writing.decrementAndGet();
                }
            }));
        }
        for (int reader = 2; reader < 4; reader++) {
            int me = reader;
            threads.add(onLane(lane -> {
                while (writing.get() > 0) {
                    Outcomes found = store().transfer(lane, store().area(me, 4), Op.READ, Mode.REPLACE)
                            .get("hot", LENGTH)
                            .run()
                            .all(Rule.REPLACE, Status.DONE);
                    boolean whole = false;
                    for (long seed = 0; seed < 2L * WRITES + 2 && !whole; seed++) {
                        whole = new Content(seed, LENGTH).is(found.slices().get(0));
                    }
                    Rule.REPLACE.check(whole, () -> "a reader saw bytes that no single writer wrote");
                }
            }));
        }
        together(threads, stop);
    }

    @Test
    default void readersNeverSeeALengthThatWasNotWritten() throws Exception {
        if (!store().has(Feature.REPLACE) || !store().has(Feature.STORED_LENGTH)) {
            return;
        }
        int[] lengths = {10_000, 20_001};
        Rule.REPLACE.expect(store().write(Mode.REPLACE, "size", new Content(lengths[0], lengths[0])), Status.DONE);
        AtomicInteger writing = new AtomicInteger(1);
        AtomicBoolean stop = new AtomicBoolean();
        Callable<Void> writer = onLane(lane -> {
            try {
                for (int i = 0; i < 2 * WRITES && !stop.get(); i++) {
                    int length = lengths[i % 2];
                    store().transfer(lane, store().area(0, 2), Op.WRITE, Mode.REPLACE)
                            .put("size", new Content(length, length))
                            .run()
                            .all(Rule.REPLACE, Status.DONE);
                }
            } finally {
                writing.decrementAndGet();
            }
        });
        Callable<Void> reader = onLane(lane -> {
            for (int i = 0; writing.get() > 0; i++) {
                int length = lengths[i % 2];
                Outcome told = store().transfer(lane, store().area(1, 2), Op.QUERY, Mode.REPLACE)
                        .name("size")
                        .run()
                        .all(Rule.REPLACE, Status.DONE)
                        .get(0);
                Rule.REPLACE.check(
                        told.storedLength() == lengths[0] || told.storedLength() == lengths[1],
                        () -> "a query saw the length " + told.storedLength());
                Outcomes found = store().transfer(lane, store().area(1, 2), Op.READ, Mode.REPLACE)
                        .get("size", length)
                        .run();
                boolean exact = store().has(Feature.DETECTS_SHORT) && store().has(Feature.DETECTS_LONG);
                if (exact) {
                    found.all(Rule.REPLACE, Status.DONE, Status.WRONG_SIZE);
                }
                if (exact && found.status(0) == Status.DONE) {
                    found.holds(0, Rule.REPLACE, new Content(length, length));
                }
            }
        });
        together(List.of(writer, reader), stop);
    }

    @Test
    default void oneOfSeveralCreatorsWins() throws Exception {
        if (!store().has(Feature.CREATE)) {
            return;
        }
        int writers = 4;
        int keys = 200;
        Status[][] ended = new Status[writers][keys];
        List<Callable<Void>> threads = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            int me = writer;
            threads.add(onLane(lane -> {
                for (int from = 0; from < keys; from += 10) {
                    Transfer write = store().transfer(lane, store().area(me, writers), Op.WRITE, Mode.CREATE);
                    for (int key = from; key < from + 10; key++) {
                        // Even keys compete with equal lengths, odd keys with different ones.
                        write.put("race" + key, new Content(me, 5000 + key % 2 * me));
                    }
                    Outcomes outcomes = write.run();
                    for (int i = 0; i < 10; i++) {
                        Status loser = i % 2 == 0 ? Status.ALREADY_PRESENT : Status.WRONG_SIZE;
                        outcomes.item(i, Rule.CREATE, Status.DONE, loser);
                        ended[me][from + i] = outcomes.status(i);
                    }
                }
            }));
        }
        together(threads, new AtomicBoolean());
        for (int key = 0; key < keys; key++) {
            int winner = -1;
            for (int writer = 0; writer < writers; writer++) {
                if (ended[writer][key] == Status.DONE) {
                    int other = winner;
                    int at = key;
                    Rule.CREATE.check(other < 0, () -> "two writers were told that they created race" + at);
                    winner = writer;
                }
            }
            int at = key;
            Rule.CREATE.check(winner >= 0, () -> "nobody created race" + at);
            store().holds(Rule.CREATE, "race" + key, new Content(winner, 5000 + key % 2 * winner));
        }
    }

    /** Work of one thread with a lane of its own. */
    @FunctionalInterface
    interface LaneWork {
        void run(Lane lane) throws Exception;
    }

    private Callable<Void> onLane(LaneWork work) {
        Lane lane = store().backend().openLane();
        return () -> {
            try (lane) {
                work.run(lane);
            }
            return null;
        };
    }

    private static void together(List<Callable<Void>> threads, AtomicBoolean stop)
            throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService executor = Executors.newFixedThreadPool(threads.size());
        try {
            for (Future<Void> ended : threads.stream().map(executor::submit).toList()) {
                ended.get(120, TimeUnit.SECONDS);
            }
        } finally {
            stop.set(true);
            executor.shutdown();
            if (!executor.awaitTermination(120, TimeUnit.SECONDS)) {
                Rule.DEADLINE.broken("a lane still runs two minutes after the test ended");
            }
        }
    }
}
