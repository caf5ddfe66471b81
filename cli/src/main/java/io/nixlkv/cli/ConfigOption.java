package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option that names a configuration. */
final class ConfigOption {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file, also as @FILE; default: what the environment and the defaults give.")
    private String config;

    boolean given() {
        return config != null;
    }

    /**
     * The configuration it names.
     *
     * @throws io.nixlkv.host.config.ConfigException with every problem of the file
     */
    HostConfig read(Map<String, String> environment) {
        if (config == null) {
            return HostConfig.defaults(environment);
        }
        String text = config.strip();
        if (text.startsWith("{")) {
            throw new UsageException("--config: inline configuration is not supported yet; give a file");
        }
        String path = text.startsWith("@") ? text.substring(1) : config;
        if (path.isEmpty()) {
            throw new UsageException("--config: a file name is missing");
        }
        try {
            return HostConfig.load(Path.of(path), environment);
        } catch (InvalidPathException wrong) {
            throw new UsageException("--config: " + path + " is not a file name: " + wrong.getReason(), wrong);
        }
    }
}
