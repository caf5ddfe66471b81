package io.nixlkv.spi.tck;

import static io.nixlkv.spi.tck.Rule.STAGED;
import static io.nixlkv.spi.tck.Rule.UNDECLARED;

import io.nixlkv.spi.Feature;
import io.nixlkv.spi.Lane;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.TransferBatch.Mode;
import io.nixlkv.spi.TransferBatch.Op;
import org.junit.jupiter.api.Test;

/** STAGE, PUBLISH and DISCARD. Each test of an engine without staging asserts that the three are refused. */
interface StagingRules extends UnderTest {
    int LENGTH = 70_001;

    @Test
    default void aStagedObjectIsInvisibleUntilPublished() {
        if (refusesStaging()) {
            return;
        }
        Content content = new Content(1, LENGTH);
        Transfer stage = store().transfer(Op.STAGE).put("s/1", content).put("s/2", content);
        Outcomes staged = stage.run().all(STAGED, Status.DONE);
        // Staging has copied the slices: they may be used again.
        stage.scribble();
        store().absent(STAGED, "s/1", LENGTH);
        store().absent(STAGED, "s/2", LENGTH);
        publish(store().mode(), "s/1", LENGTH, staged.get(0)).all(STAGED, Status.DONE);
        store().holds(STAGED, "s/1", content);
        store().absent(STAGED, "s/2", LENGTH);
        publish(store().mode(), "s/2", LENGTH, staged.get(1)).all(STAGED, Status.DONE);
        store().holds(STAGED, "s/2", content);
    }

    @Test
    default void publishCreateLeavesAnExistingObjectAlone() {
        if (refusesStaging() || !store().has(Feature.CREATE)) {
            return;
        }
        Content old = new Content(1, LENGTH);
        store().store("k", old);
        Outcome equal = stage("k", new Content(2, LENGTH));
        publish(Mode.CREATE, "k", LENGTH, equal).all(Rule.CREATE, Status.ALREADY_PRESENT);
        spent("k", LENGTH, equal);
        Outcome longer = stage("k", new Content(3, LENGTH + 1));
        publish(Mode.CREATE, "k", LENGTH + 1, longer).all(Rule.CREATE, Status.WRONG_SIZE);
        spent("k", LENGTH + 1, longer);
        store().holds(Rule.CREATE, "k", old);
    }

    @Test
    default void publishReplaceReplaces() {
        if (refusesStaging() || !store().has(Feature.REPLACE)) {
            return;
        }
        Rule.REPLACE.expect(store().write(Mode.REPLACE, "k", new Content(1, LENGTH)), Status.DONE);
        for (int length : new int[] {LENGTH, 4096, 100_000}) {
            Content content = new Content(7, length);
            Outcome staged = stage("k", content);
            publish(Mode.REPLACE, "k", length, staged).all(Rule.REPLACE, Status.DONE);
            spent("k", length, staged);
            store().holds(Rule.REPLACE, "k", content);
        }
    }

    @Test
    default void publishWorksOnAnotherLane() {
        if (refusesStaging()) {
            return;
        }
        Content content = new Content(1, LENGTH);
        Outcome staged;
        try (Lane first = store().backend().openLane()) {
            staged = store().transfer(first, store().area(0, 1), Op.STAGE, store().mode())
                    .put("k", content)
                    .run()
                    .all(STAGED, Status.DONE)
                    .get(0);
        }
        publish(store().mode(), "k", LENGTH, staged).all(STAGED, Status.DONE);
        store().holds(STAGED, "k", content);
    }

    @Test
    default void discardForgets() {
        if (refusesStaging()) {
            return;
        }
        Outcome staged = stage("k", new Content(1, LENGTH));
        store().transfer(Op.DISCARD).token("k", LENGTH, staged.token()).run().all(STAGED, Status.DONE);
        store().absent(STAGED, "k", LENGTH);
        spent("k", LENGTH, staged);
        store().absent(STAGED, "k", LENGTH);
    }

    @Test
    default void anUnknownTokenHarmsNobody() {
        if (refusesStaging()) {
            return;
        }
        Content content = new Content(1, LENGTH);
        Outcome staged = stage("good", content);
        Outcomes ended = store().transfer(Op.PUBLISH)
                .token("bad", LENGTH, staged.token() + 4711)
                .token("good", LENGTH, staged.token())
                .run()
                .item(1, Rule.PER_OBJECT, Status.DONE);
        STAGED.check(!ended.status(0).stored(), () -> "an unknown token was published: " + ended.get(0));
        store().absent(STAGED, "bad", LENGTH);
        store().holds(STAGED, "good", content);
    }

    @Test
    default void closingForgetsWhatIsStaged() {
        if (refusesStaging()) {
            return;
        }
        Outcome staged;
        try (ContractStore other = store().again()) {
            staged = other.transfer(Op.STAGE)
                    .put("k", new Content(1, LENGTH))
                    .run()
                    .all(STAGED, Status.DONE)
                    .get(0);
        }
        store().absent(STAGED, "k", LENGTH);
        try (ContractStore next = store().again()) {
            next.absent(STAGED, "k", LENGTH);
            Outcome late = next.transfer(Op.PUBLISH)
                    .token("k", LENGTH, staged.token())
                    .run()
                    .get(0);
            STAGED.check(!late.status().stored(), () -> "a token outlived its backend: " + late);
        }
    }

    private boolean refusesStaging() {
        if (store().has(Feature.STAGE)) {
            return false;
        }
        store().transfer(Op.STAGE).put("k", new Content(1, LENGTH)).run().all(UNDECLARED, Status.UNSUPPORTED);
        store().transfer(Op.PUBLISH).token("k", LENGTH, 1).run().all(UNDECLARED, Status.UNSUPPORTED);
        store().transfer(Op.DISCARD).token("k", LENGTH, 1).run().all(UNDECLARED, Status.UNSUPPORTED);
        store().absent(UNDECLARED, "k", LENGTH);
        return true;
    }

    private Outcome stage(String name, Content content) {
        return store().transfer(Op.STAGE)
                .put(name, content)
                .run()
                .all(STAGED, Status.DONE)
                .get(0);
    }

    private Outcomes publish(Mode mode, String name, int length, Outcome staged) {
        return store().transfer(Op.PUBLISH, mode)
                .token(name, length, staged.token())
                .run();
    }

    private void spent(String name, int length, Outcome staged) {
        Outcome again = publish(store().mode(), name, length, staged).get(0);
        STAGED.check(!again.status().stored(), () -> "a spent token was published again: " + again);
    }
}
