package io.nixlkv.cli;

import io.nixlkv.api.KvStore;
import io.nixlkv.api.RawKey;
import io.nixlkv.host.config.HostConfig;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code nixlkv ls}: lists objects. */
@Command(name = "ls", description = "Lists objects by key, with length in bytes and time of last use.")
final class LsCommand extends StoreCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "PREFIX", description = "Only keys that start with it.")
    private String prefix = "";

    LsCommand(NixlkvCommand root) {
        super(root);
    }

    private record Line(String key, long bytes, long lastUseMillis) {}

    @Override
    int work(Session session, HostConfig config) {
        List<Line> lines = new ArrayList<>();
        long[] opaque = new long[1];
        String layout = config.store().layout();
        // Only raw names start as their keys do; other layouts are filtered by key.
        String ofNames = layout.equals("raw") ? prefix : "";
        try (KvStore store = openStored(session, config)) {
            saySilentPlace(store);
            store.list(ofNames, (key, length, lastUse) -> {
                String text = key.text();
                if (text.startsWith(prefix)) {
                    lines.add(new Line(text, length, lastUse));
                    opaque[0] += key instanceof RawKey ? 1 : 0;
                }
                return !session.stopping();
            });
        }
        if (opaque[0] > 0 && !layout.equals("raw") && !layout.equals("hicache")) {
            result().message(opaque[0] + " names do not tell their key in layout " + layout
                    + " and are listed as they are; they are taken as keys");
        }
        lines.sort(Comparator.comparing(Line::key));
        result().print(() -> document(lines), out -> table(lines, out));
        return ExitCode.OK;
    }

    private static void table(List<Line> lines, PrintStream out) {
        int width = 1;
        for (Line line : lines) {
            width = Math.max(width, Long.toString(line.bytes).length());
        }
        DateTimeFormatter format =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
        for (Line line : lines) {
            String bytes = Long.toString(line.bytes);
            out.print(" ".repeat(width - bytes.length()));
            out.print(bytes);
            out.print("  ");
            out.print(
                    line.lastUseMillis == 0
                            ? "-                  "
                            : format.format(Instant.ofEpochMilli(line.lastUseMillis)));
            out.print("  ");
            out.println(line.key);
        }
    }

    private static Map<String, Object> document(List<Line> lines) {
        List<Map<String, Object>> objects = new ArrayList<>(lines.size());
        long bytes = 0;
        for (Line line : lines) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("key", line.key);
            object.put("bytes", line.bytes);
            object.put(
                    "last_use",
                    line.lastUseMillis == 0
                            ? null
                            : Instant.ofEpochMilli(line.lastUseMillis).toString());
            objects.add(object);
            bytes += line.bytes;
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("count", lines.size());
        document.put("bytes", bytes);
        document.put("objects", objects);
        return document;
    }
}
