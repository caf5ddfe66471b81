package io.nixlkv.host.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values given by calls under dotted keys, sorted by the table they go into. */
final class CallValues {
    private static final String STORE = "store.";
    private static final String PLUGIN = "plugin.";

    private final List<RawValue> top = new ArrayList<>();
    private final List<RawValue> store = new ArrayList<>();
    private final Map<String, List<RawValue>> plugins = new LinkedHashMap<>();

    CallValues(List<RawValue> calls, Findings findings) {
        for (RawValue call : calls) {
            String key = call.key();
            int last = key.lastIndexOf('.');
            if (key.startsWith(STORE)) {
                store.add(renamed(call, key.substring(STORE.length())));
            } else if (key.startsWith(PLUGIN) && last > PLUGIN.length()) {
                plugins.computeIfAbsent(key.substring(PLUGIN.length(), last), name -> new ArrayList<>())
                        .add(renamed(call, key.substring(last + 1)));
            } else if (HostKeys.isTopLevel(key)) {
                top.add(call);
            } else {
                findings.problem(
                        call.origin(),
                        key,
                        "unknown key; write store.KEY, plugin.NAME.KEY or one of "
                                + String.join(
                                        ", ",
                                        HostKeys.TOP_LEVEL.stream()
                                                .map(p -> p.name())
                                                .toList()));
            }
        }
    }

    List<RawValue> top() {
        return top;
    }

    List<RawValue> store() {
        return store;
    }

    /** By plugin name as it was given. */
    Map<String, List<RawValue>> plugins() {
        return plugins;
    }

    private static RawValue renamed(RawValue call, String key) {
        return new RawValue(key, call.shape(), call.text(), call.origin());
    }
}
