package io.nixlkv.spi.tck;

import io.nixlkv.spi.Status;
import java.nio.ByteBuffer;
import java.util.List;

/** The outcomes of a request, in its order, with its slices as they are now. */
record Outcomes(List<Outcome> items, List<ByteBuffer> slices) {

    Outcome get(int item) {
        return items.get(item);
    }

    Status status(int item) {
        return items.get(item).status();
    }

    /** Fails the test unless every item ended in one of the accepted ways. */
    Outcomes all(Rule rule, Status... accepted) {
        items.forEach(outcome -> rule.expect(outcome, accepted));
        return this;
    }

    /** Fails the test unless one item ended in one of the accepted ways. */
    Outcomes item(int item, Rule rule, Status... accepted) {
        rule.expect(get(item), accepted);
        return this;
    }

    /** Fails the test unless an item was read and its slice is exactly {@code content}. */
    Outcomes holds(int item, Rule rule, Content content) {
        rule.expect(get(item), Status.DONE);
        int wrong = content.mismatch(slices.get(item));
        rule.check(
                wrong < 0,
                () -> "\"" + get(item).name() + "\" reads DONE but byte " + wrong + " of " + content.length()
                        + " is wrong");
        return this;
    }
}
