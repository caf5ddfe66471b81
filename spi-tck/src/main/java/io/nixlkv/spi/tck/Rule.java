package io.nixlkv.spi.tck;

import io.nixlkv.spi.Status;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/** The rules of the southbound contract, as a failing test names them. */
public enum Rule {
    OFFERS(
            "probe() lists each engine with its segments and capabilities, never throws, and open() opens the engine asked for"),
    ONCE("every item is completed exactly once before execute() returns"),
    PER_OBJECT("one bad item never fails its neighbours; item errors are results, not exceptions"),
    FENCE("return is the fence: after execute() returned nothing reads or writes the slices"),
    SLICES("a transfer touches the bytes of its slice only, and a write does not change them"),
    DEADLINE("after the deadline no new work starts and the rest ends as TIMED_OUT; a write may yet appear, but whole"),
    CREATE(
            "CREATE never replaces: equal length is ALREADY_PRESENT, another length WRONG_SIZE, the object stays as it was"),
    REPLACE("REPLACE shows the old or the new object, never a mixture"),
    WHOLE("an object is whole or absent, to every process, also after kill -9"),
    ACKNOWLEDGED("an object whose write was answered with DONE is present, also after kill -9"),
    EXACT_READS("the stored length must equal the item's length; nothing is padded and no part is returned"),
    ROUND_TRIP("what was written is what is read"),
    ZERO_LENGTH("zero-length objects are refused on write and absent on read"),
    UNDECLARED("what an engine does not declare it answers with UNSUPPORTED and does not try"),
    NAMES("names are UTF-8 paths below their root; '..', '.', empty parts, absolute names and NUL are INVALID"),
    DELETE("a deleted object is gone; deleting an absent one is MISSING"),
    LIST(
            "list() visits every committed object under the prefix once, no temporaries and no pools, and stops when told"),
    QUERY("a query answers DONE with the stored length, -1 only where lengths are not declared, or MISSING"),
    ALIGNMENT("items that are not aligned for direct I/O are transferred all the same"),
    CLOSED("closing is idempotent; a lane of a closed backend ends every item as UNAVAILABLE"),
    KEPT("closing deletes nothing: a store opened again holds what was written"),
    SLOTS("a pool's slots are independent and keep their contents when the pool is closed"),
    STAGED("a staged object is invisible until PUBLISH, and a token is spent by PUBLISH or DISCARD, however it ends");

    private final String sentence;

    Rule(String sentence) {
        this.sentence = sentence;
    }

    /** Fails the test unless {@code held}. */
    void check(boolean held, Supplier<String> found) {
        if (!held) {
            broken(found.get());
        }
    }

    /** Fails the test unless the item ended in one of the accepted ways. */
    void expect(Outcome outcome, Status... accepted) {
        check(
                Arrays.asList(accepted).contains(outcome.status()),
                () -> "expected " + Arrays.toString(accepted) + " but got " + outcome);
    }

    /** Fails the test. */
    void broken(String found) {
        Assertions.fail("rule " + this + " (" + sentence + ") is broken: " + found);
    }
}
