package io.nixlkv.host.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Published slots that are not on stable storage yet, each with the slots of the older objects of its key. Not thread-safe. */
final class Replacements {
    private final Map<Integer, List<Integer>> olderOf = new HashMap<>();

    /** An object takes the place of another one, and of those that the other one was about to replace. */
    void add(int shadowed, int by) {
        List<Integer> older = new ArrayList<>(List.of(shadowed));
        older.addAll(Objects.requireNonNullElse(olderOf.remove(shadowed), List.of()));
        olderOf.put(by, older);
    }

    /** The slots that {@code slot} replaces. */
    List<Integer> olderThan(int slot) {
        return olderOf.getOrDefault(slot, List.of());
    }

    /** Ends the replacements by some slots; answers with what they replace. */
    int[] take(int[] by, int count) {
        return Arrays.stream(by, 0, count)
                .mapToObj(olderOf::remove)
                .filter(Objects::nonNull)
                .flatMapToInt(older -> older.stream().mapToInt(slot -> slot))
                .toArray();
    }
}
