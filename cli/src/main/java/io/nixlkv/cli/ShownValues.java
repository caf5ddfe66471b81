package io.nixlkv.cli;

import io.nixlkv.host.config.ShownValue;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a resolved configuration. */
final class ShownValues {
    private ShownValues() {}

    /** Those that have a value. */
    static void print(List<ShownValue> resolved, PrintStream out) {
        TextTable model = new TextTable("KEY", "VALUE", "ORIGIN");
        for (ShownValue value : resolved) {
            if (!value.text().isEmpty()) {
                model.row(value.key(), value.text(), value.origin());
            }
        }
        model.print(out);
    }

    static List<Map<String, Object>> document(List<ShownValue> resolved) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (ShownValue value : resolved) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("key", value.key());
            entry.put("value", value.text());
            entry.put("origin", value.origin());
            list.add(entry);
        }
        return list;
    }
}
