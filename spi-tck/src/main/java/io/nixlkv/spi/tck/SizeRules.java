package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.ROUND_TRIP;
import static io.nixlkv.spi.tck.Rule.STAGED;
import static io.nixlkv.spi.tck.Rule.ZERO_LENGTH;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Objects of every size. */
interface SizeRules extends UnderTest {
    @Test
    default void roundTripOf1Byte() {
        roundTrip(1);
    }

    @Test
    default void roundTripOf4095Bytes() {
        roundTrip(4095);
    }

    @Test
    default void roundTripOf4096Bytes() {
        roundTrip(4096);
    }

    @Test
    default void roundTripOf4097Bytes() {
        roundTrip(4097);
    }

    @Test
    default void roundTripOf1MiB() {
        roundTrip(1 << 20);
    }

    @Test
    default void roundTripOf64MiB() {
        roundTrip(64 << 20);
    }

    /** Longer objects than the engine declares are refused instead. */
    private void roundTrip(int length) {
        Content content = new Content(length, length);
        if (length > store().can().maxObjectBytes()) {
            ROUND_TRIP.expect(store().write(store().mode(), "size", content), Status.INVALID, Status.UNSUPPORTED);
            store().absent(ROUND_TRIP, "size", length);
            return;
        }
        store().store("size", content);
        store().holds(ROUND_TRIP, "size", content);
    }

    @Test
    default void zeroLengthIsRefusedOnWrite() {
        Content good = new Content(1, 4096);
        store().transfer(Op.WRITE)
                .put("before", good)
                .put("empty", new Content(0, 0))
                .put("after", good)
                .run()
                .item(0, ROUND_TRIP, Status.DONE)
                .item(1, ZERO_LENGTH, Status.INVALID)
                .item(2, ROUND_TRIP, Status.DONE);
        store().absent(ZERO_LENGTH, "empty", 1);
    }

    @Test
    default void zeroLengthReadIsRefused() {
        Content good = new Content(1, 4096);
        store().store("good", good);
        store().transfer(Op.READ)
                .get("good", 0)
                .get("good", good.length())
                .run()
                .item(0, ZERO_LENGTH, Status.INVALID, Status.WRONG_SIZE)
                .holds(1, ROUND_TRIP, good);
    }

    @Test
    default void aZeroLengthObjectOfOthersIsAbsent() throws IOException {
        String name = "theirs";
        if (!store().setup().putEmpty(store().location(), name)) {
            return;
        }
        Content content = new Content(1, 4096);
        store().absent(ZERO_LENGTH, name, content.length());
        ZERO_LENGTH.expect(store().write(store().mode(), name, content), Status.DONE);
        store().holds(ZERO_LENGTH, name, content);
        if (store().has(Feature.CREATE)) {
            ZERO_LENGTH.expect(store().write(Mode.CREATE, name, new Content(2, 4096)), Status.ALREADY_PRESENT);
            store().holds(ZERO_LENGTH, name, content);
        }
    }

    @Test
    default void aZeroLengthObjectOfOthersIsReplacedWhenAStagedOneIsPublished() throws IOException {
        String name = "theirs";
        if (!store().has(Feature.STAGE) || !store().setup().putEmpty(store().location(), name)) {
            return;
        }
        Content content = new Content(1, 4096);
        long token = store().transfer(Op.STAGE)
                .put(name, content)
                .run()
                .all(STAGED, Status.DONE)
                .get(0)
                .token();
        store().absent(ZERO_LENGTH, name, content.length());
        store().transfer(Op.PUBLISH).token(name, content.length(), token).run().all(ZERO_LENGTH, Status.DONE);
        store().holds(ZERO_LENGTH, name, content);
    }
}
