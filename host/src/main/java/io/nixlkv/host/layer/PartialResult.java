package io.nixlkv.host.layer;

import io.nixlkv.api.BatchResult;
import io.nixlkv.api.ObjectResult;
import java.util.ArrayList;
import java.util.List;

/** The results of a batch of which a part is answered here, and the rest elsewhere. Not thread-safe. */
public final class PartialResult {
    private final ObjectResult[] results;
    private final boolean[] here;
    private int missing;

    public PartialResult(int size) {
        results = new ObjectResult[size];
        here = new boolean[size];
        missing = size;
    }

    /** Answers an item that has no answer yet. */
    public void set(int item, ObjectResult result) {
        results[item] = result;
        here[item] = true;
        missing--;
    }

    public ObjectResult get(int item) {
        return results[item];
    }

    /** Whether the item was answered by {@link #set}. */
    public boolean isHere(int item) {
        return here[item];
    }

    public boolean isWhole() {
        return missing == 0;
    }

    /** Of one thing for each item, those of the items that are not answered here. */
    public <T> List<T> rest(List<? extends T> all) {
        List<T> rest = new ArrayList<>(missing);
        for (int i = 0; i < here.length; i++) {
            if (!here[i]) {
                rest.add(all.get(i));
            }
        }
        return rest;
    }

    /** The same of numbers, of which there may also be none, or one for all. */
    public long[] rest(long[] all) {
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
    public void fill(BatchResult rest) {
        for (int i = 0, next = 0; i < here.length; i++) {
            if (!here[i]) {
                results[i] = rest.get(next++);
            }
        }
    }

    /** {@link #fill} and {@link #result}. */
    public BatchResult with(BatchResult rest) {
        fill(rest);
        return result();
    }

    public BatchResult result() {
        return new BatchResult(List.of(results));
    }
}
