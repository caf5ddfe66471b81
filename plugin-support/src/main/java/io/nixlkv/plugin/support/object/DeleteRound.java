package io.nixlkv.plugin.support.object;

import io.nixlkv.spi.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Deletion where one request deletes many keys and does not tell which of them existed: every object is asked for first, and those
 * that are there are deleted in groups.
 */
final class DeleteRound implements Round.Results {
    private final BatchResults results;
    private final ObjectStore store;
    private final String[] keys;
    private final List<Integer> present = new ArrayList<>();

    DeleteRound(BatchResults results, ObjectStore store, int size) {
        this.results = results;
        this.store = store;
        keys = new String[size];
    }

    /** The question for one item. */
    Function<Work, List<Answer>> ask(int item, String key) {
        keys[item] = key;
        return work -> List.of(store.head(key));
    }

    @Override
    public void answered(Work work, List<Answer> answers) {
        if (answers.get(0).status() != Status.DONE) {
            results.answered(work, answers);
            return;
        }
        synchronized (this) {
            present.add(work.items()[0]);
        }
    }

    @Override
    public void failed(Work work, Throwable failure) {
        results.failed(work, failure);
    }

    @Override
    public void late(Work work) {
        results.late(work);
    }

    /** The deletions of what is there, once every object was asked for. */
    synchronized List<Work> groups() {
        List<Work> groups = new ArrayList<>();
        int most = store.deleteGroup();
        for (int from = 0; from < present.size(); from += most) {
            List<Integer> group = List.copyOf(present.subList(from, Math.min(present.size(), from + most)));
            List<String> chosen = group.stream().map(item -> keys[item]).toList();
            groups.add(
                    new Work(group.stream().mapToInt(Integer::intValue).toArray(), null, work -> store.delete(chosen)));
        }
        return groups;
    }
}
