package io.nixlkv.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What failed in a run, grouped by reason: reasons that differ in keys and numbers only are one. Not thread-safe. */
final class Failures {
    private static final int GROUPS_TOLD = 10;
    private static final Pattern NUMBERS = Pattern.compile("[0-9a-f]{8,}|[0-9]+");

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private long count;

    private static final class Group {
        private final String first;
        private long count;

        Group(String first) {
            this.first = first;
        }

        String text() {
            return count == 1 ? first : first + " (and " + (count - 1) + " more like it)";
        }
    }

    void add(String key, String reason) {
        count++;
        String alike = NUMBERS.matcher(reason.replace(key, "")).replaceAll("");
        groups.computeIfAbsent(alike, any -> new Group(reason)).count++;
    }

    boolean none() {
        return count == 0;
    }

    /** One line for each reason, the first ten, and one for what is left. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        long told = 0;
        for (Group group : groups.values()) {
            if (lines.size() < GROUPS_TOLD) {
                lines.add(group.text());
                told += group.count;
            }
        }
        if (told < count) {
            lines.add("and " + (count - told) + " more failures; " + count + " in all");
        }
        return lines;
    }
}
