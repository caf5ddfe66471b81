package io.nixlkv.host.store;

import io.nixlkv.spi.Status;
import java.util.function.IntFunction;

/** Composes what a caller reads about an object: operation, key, store, and what the lane said. */
final class Reasons {
    private final String verb;
    private final String store;
    private final LengthRule lengths;
    private final IntFunction<String> keyText;

    /**
     * @param verb what was tried, such as {@code store}
     * @param store the store's name for people
     * @param keyText the key of an item, asked for failures only
     */
    Reasons(String verb, String store, LengthRule lengths, IntFunction<String> keyText) {
        this.verb = verb;
        this.store = store;
        this.lengths = lengths;
        this.keyText = keyText;
    }

    /** The reason of an item; empty when there is nothing to explain. */
    String of(Call call, int item) {
        Status status = call.status(item);
        if (status == Status.DONE || status == Status.ALREADY_PRESENT || status == Status.MISSING) {
            return "";
        }
        String sentence = call.sentence(item);
        if (status == Status.WRONG_SIZE) {
            sentence = "stored are " + call.storedLength(item) + " bytes"
                    + (call.length(item) > 0 ? ", wanted " + call.length(item) : "")
                    + (lengths.pads()
                            ? "; objects here are padded to " + lengths.unit()
                                    + " bytes: check l1_align_bytes and use_direct_io of the writer"
                            : "; if the writer pads its objects, set l1_align_bytes and use_direct_io as it does");
        }
        return verb + " " + keyText.apply(item) + " in " + store + ": "
                + (sentence == null ? status.toString().toLowerCase(java.util.Locale.ROOT) : sentence);
    }
}
