package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.CLOSED;
import static io.nixlkv.spi.tck.Rule.KEPT;

import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.TransferBatch.Op;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Opening, closing and opening again. */
interface LifecycleRules extends UnderTest {
    @Test
    default void aLaneOfAClosedBackendEndsEveryItemAsUnavailable() {
        Content content = new Content(1, 5000);
        ContractStore other = store().again();
        other.store("k", content);
        other.backend().close();
        other.transfer(Op.WRITE)
                .put("late/1", content)
                .put("late/2", content)
                .run()
                .all(CLOSED, Status.UNAVAILABLE);
        other.transfer(Op.READ).get("k", 5000).get("none", 5000).run().all(CLOSED, Status.UNAVAILABLE);
        other.transfer(Op.QUERY).name("k").run().all(CLOSED, Status.UNAVAILABLE);
        other.close();
        store().absent(CLOSED, "late/1", 5000);
    }

    @Test
    default void aClosedBackendOpensNothing() {
        ContractStore other = store().again();
        other.close();
        StorageException refused = Assertions.assertThrows(
                StorageException.class,
                () -> other.backend().openLane(),
                "rule CLOSED: openLane() of a closed backend must throw");
        CLOSED.check(refused.status() == Status.UNAVAILABLE, () -> "openLane() threw " + refused.status());
    }

    @Test
    default void closingTwiceIsHarmless() {
        ContractStore other = store().again();
        Lane lane = other.backend().openLane();
        lane.close();
        lane.close();
        other.close();
        other.close();
        Content content = new Content(1, 5000);
        store().store("k", content);
        store().holds(CLOSED, "k", content);
    }

    @Test
    default void lanesAreIndependent() {
        List<Lane> lanes = new ArrayList<>();
        for (int i = 1; i < ContractStore.LANES; i++) {
            lanes.add(store().backend().openLane());
        }
        for (int i = 0; i < lanes.size(); i++) {
            store().transfer(lanes.get(i), store().area(0, 1), Op.WRITE, store().mode())
                    .put("lane" + i, new Content(i, 5000))
                    .run()
                    .all(Rule.ROUND_TRIP, Status.DONE);
            lanes.get(i).close();
            store().holds(Rule.ROUND_TRIP, "lane" + i, new Content(i, 5000));
        }
    }

    @Test
    default void anObjectOutlivesItsBackend() {
        Content one = new Content(1, 5000);
        Content two = new Content(2, 1 << 20);
        ContractStore first = store().again();
        first.store("keep/1", one);
        first.store("keep/2", two);
        first.close();
        try (ContractStore second = store().again()) {
            if (!store().setup().persistent()) {
                second.absent(KEPT, "keep/1", 5000);
                return;
            }
            second.holds(KEPT, "keep/1", one);
            second.holds(KEPT, "keep/2", two);
            // Both backends serve the same store at the same time.
            store().holds(KEPT, "keep/1", one);
        }
    }
}
