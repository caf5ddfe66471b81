package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.DEADLINE;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Deadlines, and the fence that holds all the same. */
interface DeadlineRules extends UnderTest {
    int BATCH = 128;
    int LENGTH = 256 << 10;

    @Test
    default void anExpiredDeadlineEndsAWrite() {
        endsWrite(-1);
    }

    @Test
    default void anExpiredDeadlineEndsARead() {
        endsRead(-1);
    }

    @Test
    default void aDeadlineInTheMiddleEndsAWrite() {
        for (int step = 0; step < 5; step++) {
            endsWrite(TimeUnit.MICROSECONDS.toNanos(100L << 2 * step));
        }
    }

    @Test
    default void aDeadlineInTheMiddleEndsARead() {
        for (int step = 0; step < 5; step++) {
            endsRead(TimeUnit.MICROSECONDS.toNanos(100L << 2 * step));
        }
    }

    @Test
    default void anExpiredDeadlineEndsAQuery() {
        store().transfer(Op.QUERY)
                .deadline(System.nanoTime() - 1)
                .name("none")
                .name("nothing")
                .run()
                .all(DEADLINE, Status.TIMED_OUT, Status.MISSING);
    }

    private void endsWrite(long nanos) {
        String prefix = "w" + nanos + "/";
        Transfer write = store().transfer(Op.WRITE);
        for (int i = 0; i < BATCH; i++) {
            write.put(prefix + i, new Content(i, LENGTH));
        }
        Outcomes ended = promptly(write, nanos).all(DEADLINE, Status.DONE, Status.TIMED_OUT);
        write.scribble();
        Transfer read = store().transfer(store().lane(), store().area(1, 2), Op.READ, store().mode());
        for (int i = 0; i < BATCH; i++) {
            read.get(prefix + i, LENGTH);
        }
        Outcomes found = read.run();
        for (int i = 0; i < BATCH; i++) {
            if (ended.status(i) == Status.DONE || found.status(i) != Status.MISSING) {
                found.holds(i, Rule.FENCE, new Content(i, LENGTH));
            }
        }
        // What appears late appears whole: nothing that is still under way may read the scribbled slices.
        Outcomes later = read.deadline(System.nanoTime() + Transfer.PATIENCE).run();
        for (int i = 0; i < BATCH; i++) {
            if (later.status(i) != Status.MISSING) {
                later.holds(i, Rule.FENCE, new Content(i, LENGTH));
            }
        }
        write.checkScribbled();
    }

    private void endsRead(long nanos) {
        ContractStore other = store().again();
        Transfer write = other.transfer(Op.WRITE);
        for (int i = 0; i < BATCH; i++) {
            write.put("r" + nanos + "/" + i, new Content(i, LENGTH));
        }
        write.run().all(Rule.ROUND_TRIP, Status.DONE);
        Transfer read = other.transfer(Op.READ);
        for (int i = 0; i < BATCH; i++) {
            read.get("r" + nanos + "/" + i, LENGTH);
        }
        Outcomes found = promptly(read, nanos).all(DEADLINE, Status.DONE, Status.TIMED_OUT);
        for (int i = 0; i < BATCH; i++) {
            if (found.status(i) == Status.DONE) {
                found.holds(i, DEADLINE, new Content(i, LENGTH));
            }
        }
        read.scribble();
        // A drained backend has nothing under way: whatever a lane left behind has shown itself.
        other.close();
        read.checkScribbled();
    }

    private Outcomes promptly(Transfer transfer, long nanos) {
        long start = System.nanoTime();
        Outcomes outcomes = transfer.deadline(start + nanos).run();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        DEADLINE.check(millis < 5_000, () -> "execute() returned " + millis + " ms after the call");
        return outcomes;
    }
}
