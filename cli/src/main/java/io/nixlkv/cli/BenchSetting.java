package io.nixlkv.cli;

import io.nixlkv.api.StoreStatus;
import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.selection.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a benchmark ran on: nobody can read its figures without. */
final class BenchSetting {
    private BenchSetting() {}

    static Map<String, Object> of(Selection selection, StoreStatus status, HostConfig config, String fate) {
        Map<String, Object> setting = new LinkedHashMap<>();
        setting.put("backend", status.backend());
        setting.put("engine", status.engine());
        setting.put(
                "plugin",
                selection.strategy().source() + " " + selection.strategy().version());
        setting.put("selected_by", selectedBy(selection, config));
        setting.put("layout", config.store().layout());
        setting.put("storage_type", status.storageType());
        Object directories = status.details().get("file_path");
        if (directories != null) {
            List<String> paths = paths(selection);
            setting.put("file_path", directories);
            setting.put("file_system", fileSystems(paths));
            setting.put("use_direct_io", config.store().useDirectIo());
        }
        if (status.details().get("counters") instanceof Map<?, ?> counters) {
            counters.forEach((name, value) -> {
                if (String.valueOf(name).startsWith("transfers_")) {
                    setting.put(String.valueOf(name), value);
                }
            });
        }
        if (selection.strategy().info().parameter("sync").isPresent()) {
            setting.put("sync", selection.config().flag("sync"));
        }
        setting.put("num_workers", status.numWorkers());
        setting.put("cache_state", cacheState(setting));
        setting.put("data", fate);
        setting.put("cpus", Runtime.getRuntime().availableProcessors());
        setting.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        setting.put("jdk", System.getProperty("java.runtime.version", ""));
        return setting;
    }

    /** Loads follow the stores at once, so whatever was buffered is still in the page cache. */
    private static String cacheState(Map<String, Object> setting) {
        boolean bypassed = setting.get("transfers_direct") instanceof Number direct
                && direct.longValue() > 0
                && setting.get("transfers_buffered") instanceof Number buffered
                && buffered.longValue() == 0;
        return bypassed ? "bypassed" : "warm";
    }

    private static String selectedBy(Selection selection, HostConfig config) {
        boolean active = config.table(selection.strategy().info())
                .flatMap(table -> table.active())
                .orElse(false);
        if (active) {
            return config.source();
        }
        return config.pluginOfEnvironment().isPresent() ? "$" + HostConfig.pluginVariable() : "auto";
    }

    private static List<String> paths(Selection selection) {
        List<String> paths = new ArrayList<>();
        selection.strategy().info().parameters().forEach(parameter -> {
            if (parameter.type() == io.nixlkv.spi.Parameter.Type.PATHS) {
                paths.addAll(selection.config().paths(parameter.name()));
            }
        });
        return paths;
    }

    private static String fileSystems(List<String> paths) {
        Set<String> types = new LinkedHashSet<>();
        for (String path : paths) {
            try {
                types.add(Files.getFileStore(Path.of(path)).type());
            } catch (IOException unknown) {
                types.add("unknown (" + unknown.getMessage() + ")");
            }
        }
        return String.join(", ", types);
    }
}
