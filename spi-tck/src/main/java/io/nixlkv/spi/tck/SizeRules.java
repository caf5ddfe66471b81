package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.ROUND_TRIP;
import static io.nixlkv.spi.tck.Rule.ZERO_LENGTH;

import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Op;
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
}
