package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.EXACT_READS;
import static io.nixlkv.spi.tck.Rule.PER_OBJECT;
import static io.nixlkv.spi.tck.Rule.ROUND_TRIP;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import org.junit.jupiter.api.Test;

/** Batches of every size, and bad items among good ones. */
interface BatchRules extends UnderTest {
    @Test
    default void batchOf1() {
        batch(1, 100_000);
    }

    @Test
    default void batchOf7() {
        batch(7, 10_001);
    }

    @Test
    default void batchOf128() {
        batch(128, 262_144);
    }

    /** 4097 objects, one more than a queue or a page of a listing usually takes. */
    @Test
    default void largeBatch() {
        batch(Integer.getInteger("nixlkv.tck.batch", 4097), 4096);
    }

    private void batch(int count, int length) {
        int size = (int) Math.min(length, store().can().maxObjectBytes());
        Transfer write = store().transfer(Op.WRITE);
        Transfer read = store().transfer(Op.READ);
        Transfer query = store().transfer(Op.QUERY);
        for (int i = 0; i < count; i++) {
            write.put("b" + i, new Content(i, size));
            read.get("b" + (count - 1 - i), size);
            query.name("b" + i);
        }
        write.run().all(ROUND_TRIP, Status.DONE);
        Outcomes found = read.run();
        for (int i = 0; i < count; i++) {
            found.holds(i, ROUND_TRIP, new Content(count - 1 - i, size));
        }
        query.run().all(Rule.QUERY, Status.DONE);
    }

    @Test
    default void missingObjectInAGoodBatch() {
        Content good = new Content(5, 9000);
        store().store("a", good);
        store().store("c", good);
        store().transfer(Op.READ)
                .get("a", 9000)
                .get("b", 9000)
                .get("c", 9000)
                .run()
                .holds(0, PER_OBJECT, good)
                .item(1, PER_OBJECT, Status.MISSING)
                .holds(2, PER_OBJECT, good);
    }

    @Test
    default void shortObjectInAGoodBatch() {
        wrongSize(9000, 9001, Feature.DETECTS_SHORT);
    }

    @Test
    default void muchShorterObjectInAGoodBatch() {
        wrongSize(1, 1 << 20, Feature.DETECTS_SHORT);
    }

    @Test
    default void oversizedObjectInAGoodBatch() {
        wrongSize(9001, 9000, Feature.DETECTS_LONG);
    }

    @Test
    default void muchLongerObjectInAGoodBatch() {
        wrongSize(1 << 20, 4096, Feature.DETECTS_LONG);
    }

    /** Where the engine does not detect it, the item may end in any way, and only the neighbours are judged. */
    private void wrongSize(int stored, int asked, Feature detects) {
        Content good = new Content(5, 9000);
        store().store("a", good);
        store().store("b", new Content(6, stored));
        store().store("c", good);
        Outcomes found = store().transfer(Op.READ)
                .get("a", 9000)
                .get("b", asked)
                .get("c", 9000)
                .run()
                .holds(0, PER_OBJECT, good)
                .holds(2, PER_OBJECT, good);
        if (store().has(detects)) {
            found.item(1, EXACT_READS, Status.WRONG_SIZE);
        }
        store().holds(EXACT_READS, "b", new Content(6, stored));
    }

    @Test
    default void oneObjectReadSeveralTimesInABatch() {
        Content content = new Content(8, 5000);
        store().store("same", content);
        Transfer read = store().transfer(Op.READ);
        for (int i = 0; i < 16; i++) {
            read.get("same", 5000);
        }
        Outcomes found = read.run();
        for (int i = 0; i < 16; i++) {
            found.holds(i, ROUND_TRIP, content);
        }
    }
}
