package io.nixlkv.host.local;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import java.util.ArrayList;
import java.util.List;

/** The results of a batch of which a part is answered here, and the rest elsewhere. Not thread-safe. */
final class PartialResult {
    private final ObjectResult[] results;
    private final boolean[] here;
    private int missing;

    PartialResult(int size) {
        results = new ObjectResult[size];
        here = new boolean[size];
        missing = size;
    }

    /** Answers an item that has no answer yet. */
    void set(int item, ObjectResult result) {
        results[item] = result;
        here[item] = true;
        missing--;
    }

    ObjectResult get(int item) {
        return results[item];
    }

    boolean isWhole() {
        return missing == 0;
    }

    /** Of one thing for each item, those of the items that are not answered here. */
    <T> List<T> rest(List<? extends T> all) {
        List<T> rest = new ArrayList<>(missing);
        for (int i = 0; i < here.length; i++) {
            if (!here[i]) {
                rest.add(all.get(i));
            }
        }
        return rest;
    }

    /** The same of numbers, of which there may also be none, or one for all. */
    long[] rest(long[] all) {
        if (all.length <= 1) {
            return all;
        }
        long[] rest = new long[missing];
        for (int i = 0, next = 0; i < here.length; i++) {
            if (!here[i]) {
                rest[next++] = all[i];
            }
        }
        return rest;
    }

    /** Takes the answers of the rest, in order. */
    void fill(BatchResult rest) {
        for (int i = 0, next = 0; i < here.length; i++) {
            if (!here[i]) {
                results[i] = rest.get(next++);
            }
        }
    }

    /** {@link #fill} and {@link #result}. */
    BatchResult with(BatchResult rest) {
        fill(rest);
        return result();
    }

    BatchResult result() {
        return new BatchResult(List.of(results));
    }
}
