package io.nixlkv.cli;

import io.nixlkv.host.config.ConfigReference;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code nixlkv config sample}, made from what the host and the plugins found declare. */
@Command(
        name = "sample",
        description = "Prints a configuration file with every key, its default and its meaning; POSIX is active.")
final class ConfigSampleCommand implements Callable<Integer> {
    private final NixlkvCommand root;

    ConfigSampleCommand(NixlkvCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        String page;
        try (Session session = root.session()) {
            List<StrategyInfo> found = session.host().plugins().strategies().stream()
                    .map(FoundStrategy::info)
                    .toList();
            page = ConfigReference.of(found).sample();
        }
        root.result().print(() -> Map.of("text", page), out -> out.print(page));
        return ExitCode.OK;
    }
}
