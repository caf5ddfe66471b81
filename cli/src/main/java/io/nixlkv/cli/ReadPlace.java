package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directories that a command reads from: opening a store would make them, and so hide a mistyped path. */
final class ReadPlace {
    private ReadPlace() {}

    /** @throws WorkException if none of the directories that an active table names exists */
    static void require(Session session, HostConfig config) {
        for (FoundStrategy found : session.host().plugins().strategies()) {
            StrategyInfo info = found.info();
            boolean active = config.table(info).flatMap(table -> table.active()).orElse(false);
            for (Parameter parameter : info.parameters()) {
                if (active && parameter.type() == Parameter.Type.PATHS) {
                    require(
                            parameter.name(),
                            config.strategyConfig(config.table(info), info).paths(parameter.name()));
                }
            }
        }
    }

    private static void require(String name, List<String> paths) {
        if (!paths.isEmpty() && paths.stream().allMatch(path -> Files.notExists(Path.of(path)))) {
            throw new WorkException(
                    name + ": " + String.join(", ", paths) + (paths.size() == 1 ? " does" : " do")
                            + " not exist, so nothing is stored there; correct it, or store something first",
                    null);
        }
    }
}
