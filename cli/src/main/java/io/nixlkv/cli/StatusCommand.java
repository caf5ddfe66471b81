package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.api.StoreStatus;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.config.ShownValue;
import io.nixlkv.host.selection.Selection;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code nixlkv status}: what a configuration leads to, and whether it works. */
@Command(
        name = "status",
        description = {
            "Shows the resolved configuration, writes, reads and deletes one object of its own, and shows usage. In a full"
                    + " store that would evict, nothing is written.",
            "Exit code 0 only if that worked and the store is healthy."
        })
final class StatusCommand extends StoreCommand {
    StatusCommand(NixlkvCommand root) {
        super(root);
    }

    @Override
    int work(Session session, HostConfig config) {
        Selection selection = session.host().select(config);
        List<ShownValue> resolved = new ArrayList<>(config.resolved());
        for (ShownValue value : config.resolved(
                config.table(selection.strategy().info()), selection.strategy().info())) {
            resolved.add(value);
        }
        StoreProbe.Outcome probe;
        StoreUsage usage;
        StoreStatus status;
        try (KvStore store = openSmall(session, config)) {
            usage = StoreUsage.of(store, config.store().maxCapacityBytes(), session::stopping);
            probe = StoreProbe.run(store, config, usage);
            status = store.status();
        }
        if (!probe.ok()) {
            result().message("probe: " + probe.reason());
        }
        if (!usage.reason().isEmpty()) {
            result().message("usage: " + usage.reason());
        }
        result().print(
                        () -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("resolved", ShownValues.document(resolved));
                            document.put("selection", selection.reasons());
                            document.put("status", fields(status));
                            document.put("probe", probe.document());
                            document.put("usage", usage.document());
                            return document;
                        },
                        out -> text(resolved, status, probe, usage, out));
        return probe.ok() && status.healthy() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void text(
            List<ShownValue> resolved,
            StoreStatus status,
            StoreProbe.Outcome probe,
            StoreUsage usage,
            PrintStream out) {
        ShownValues.print(resolved, out);
        out.println();
        Map<String, Object> fields = fields(status);
        fields.remove("usage"); // what was listed follows, and says more
        fields.forEach((name, value) -> field(name, value, out));
        out.println("probe: " + probe.text());
        out.println("usage: " + usage.text());
    }

    private static void field(String name, Object value, PrintStream out) {
        if (value instanceof Map<?, ?> entries) {
            out.println(entries.isEmpty() ? name + ": none" : name + ":");
            entries.forEach((entry, content) -> out.println("  " + entry + ": " + line(content)));
        } else if (name.equals("arena_bytes")) {
            out.println(name + ": " + value + " (this command's own; a host takes store.arena_gb)");
        } else {
            out.println(name + ": " + value);
        }
    }

    private static Object line(Object content) {
        return content instanceof Map<?, ?> parts
                ? parts.entrySet().stream()
                        .map(part -> part.getKey() + " " + part.getValue())
                        .collect(Collectors.joining(", "))
                : content;
    }

    private static Map<String, Object> fields(StoreStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("is_healthy", status.healthy());
        fields.put("type", status.type());
        fields.put("backend", status.backend());
        fields.put("engine", status.engine());
        fields.put("storage_type", status.storageType());
        fields.put("num_workers", status.numWorkers());
        fields.putAll(status.details());
        return fields;
    }
}
