package io.nixlkv.spi.tck;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import org.junit.jupiter.api.Test;

/** CREATE, REPLACE and durable writes. */
interface WriteModeRules extends UnderTest {
    @Test
    default void createLeavesAnObjectOfEqualLengthAlone() {
        if (!store().has(Feature.CREATE)) {
            refused(Mode.CREATE);
            return;
        }
        Content old = new Content(1, 5000);
        store().store("k", old);
        Rule.CREATE.expect(store().write(Mode.CREATE, "k", new Content(2, 5000)), Status.ALREADY_PRESENT);
        store().holds(Rule.CREATE, "k", old);
    }

    @Test
    default void createLeavesAnObjectOfAnotherLengthAlone() {
        if (!store().has(Feature.CREATE)) {
            refused(Mode.CREATE);
            return;
        }
        Content old = new Content(1, 5000);
        store().store("k", old);
        Content good = new Content(3, 4096);
        store().transfer(Op.WRITE, Mode.CREATE)
                .put("before", good)
                .put("k", new Content(2, 4999))
                .put("k", new Content(2, 5001))
                .put("after", good)
                .run()
                .item(0, Rule.PER_OBJECT, Status.DONE)
                .item(1, Rule.CREATE, Status.WRONG_SIZE)
                .item(2, Rule.CREATE, Status.WRONG_SIZE)
                .item(3, Rule.PER_OBJECT, Status.DONE);
        store().holds(Rule.CREATE, "k", old);
    }

    @Test
    default void replaceReplaces() {
        if (!store().has(Feature.REPLACE)) {
            refused(Mode.REPLACE);
            return;
        }
        for (int length : new int[] {5000, 5000, 4096, 100_000, 1}) {
            Content content = new Content(length, length);
            Rule.REPLACE.expect(store().write(Mode.REPLACE, "k", content), Status.DONE);
            store().holds(Rule.REPLACE, "k", content);
        }
    }

    private void refused(Mode mode) {
        Content content = new Content(1, 5000);
        Rule.UNDECLARED.expect(store().write(mode, "k", content), Status.UNSUPPORTED);
        store().absent(Rule.UNDECLARED, "k", 5000);
    }

    @Test
    default void durableWrites() {
        Content content = new Content(1, 5000);
        Transfer write =
                store().transfer(Op.WRITE).durable().put("d/1", content).put("d/2", content);
        if (!store().has(Feature.DURABLE)) {
            write.run().all(Rule.UNDECLARED, Status.UNSUPPORTED);
            store().absent(Rule.UNDECLARED, "d/1", 5000);
            return;
        }
        write.run().all(Rule.ROUND_TRIP, Status.DONE);
        store().holds(Rule.ROUND_TRIP, "d/1", content);
        store().holds(Rule.ROUND_TRIP, "d/2", content);
    }
}
