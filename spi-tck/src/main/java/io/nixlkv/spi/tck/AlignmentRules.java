package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.ALIGNMENT;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
import org.junit.jupiter.api.Test;

/** Slices that direct I/O cannot take as they are. */
interface AlignmentRules extends UnderTest {
    @Test
    default void unalignedAndAlignedItemsInOneBatch() {
        int[] lengths = {4096, 4095, 8192, 1, 511, 512, 513, 65_536, 65_537, 12_288};
        int[] shifts = {0, 1, 511, 512, 2048, 4095};
        Transfer write = store().transfer(Op.WRITE);
        Transfer read = store().transfer(Op.READ);
        for (int shift : shifts) {
            for (int length : lengths) {
                String name = "u" + shift + "-" + length;
                write.shift(shift).put(name, new Content(shift, length));
                // Written from one alignment and read to another.
                read.shift(shift == 0 ? 1 : 0).get(name, length);
            }
        }
        write.run().all(ALIGNMENT, Status.DONE);
        Outcomes found = read.run();
        int item = 0;
        for (int shift : shifts) {
            for (int length : lengths) {
                found.holds(item++, ALIGNMENT, new Content(shift, length));
            }
        }
    }

    @Test
    default void wrongSizesAreFoundAtBlockBoundariesToo() {
        store().store("block", new Content(1, 4096));
        store().store("odd", new Content(2, 4097));
        Outcomes found = store().transfer(Op.READ)
                .get("block", 8192)
                .get("odd", 4096)
                .get("odd", 8192)
                .get("block", 4096)
                .run()
                .holds(3, Rule.PER_OBJECT, new Content(1, 4096));
        if (store().has(Feature.DETECTS_SHORT)) {
            found.item(0, Rule.EXACT_READS, Status.WRONG_SIZE).item(2, Rule.EXACT_READS, Status.WRONG_SIZE);
        }
        if (store().has(Feature.DETECTS_LONG)) {
            found.item(1, Rule.EXACT_READS, Status.WRONG_SIZE);
        }
    }
}
