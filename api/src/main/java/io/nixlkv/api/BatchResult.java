package io.nixlkv.api;

import io.nixlkv.spi.Status;
import java.util.List;

/**
 * The results of a batch, in the order of its objects.
 *
 * @param results one for every object
 */
public record BatchResult(List<ObjectResult> results) {
    public BatchResult {
        results = List.copyOf(results);
    }

    /** The result of one object. */
    public ObjectResult get(int index) {
        return results.get(index);
    }

    /** Number of objects. */
    public int size() {
        return results.size();
    }

    /** Whether every object is {@link ObjectResult#ok}. */
    public boolean allOk() {
        return okCount() == results.size();
    }

    /** How many objects are {@link ObjectResult#ok}. */
    public int okCount() {
        int count = 0;
        for (ObjectResult result : results) {
            if (result.ok()) {
                count++;
            }
        }
        return count;
    }

    /** How many objects at the start of the batch are {@link ObjectResult#ok}: the usable prefix of a lookup. */
    public int leadingOk() {
        int count = 0;
        while (count < results.size() && results.get(count).ok()) {
            count++;
        }
        return count;
    }

    /** How many objects ended with {@code status}. */
    public int count(Status status) {
        return (int) results.stream().filter(r -> r.status() == status).count();
    }
}
