package io.nixlkv.host.config.document;

import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.config.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the keys of a table; of a key that is there twice the first counts and the second is a problem. */
final class TableBuilder {
    private final String path;
    private final List<ConfigProblem> problems;
    private final Map<String, Node.Entry> entries = new LinkedHashMap<>();

    /** @param path the table's own dotted key with a dot at its end; empty for the root */
    TableBuilder(String path, List<ConfigProblem> problems) {
        this.path = path;
        this.problems = problems;
    }

    void add(String key, Node value, Origin origin) {
        Node.Entry first = entries.putIfAbsent(key, new Node.Entry(key, value, origin));
        if (first != null) {
            problems.add(problem(
                    origin,
                    path + key,
                    "is defined twice, first in line " + first.origin().line() + "; keep one of them"));
        }
    }

    Node.Table table(Origin origin) {
        return new Node.Table(new ArrayList<>(entries.values()), origin);
    }

    static ConfigProblem problem(Origin origin, String key, String sentence) {
        return new ConfigProblem(origin.source(), origin.line(), origin.column(), key, sentence);
    }
}
