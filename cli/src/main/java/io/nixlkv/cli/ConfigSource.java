package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** Reads the configuration that an argument or the environment names, and says which of them named a file that is not there. */
final class ConfigSource {
    private static final String VARIABLE = "LMCACHE_CONFIG_FILE";

    private ConfigSource() {}

    /**
     * @param argument FILE, @FILE or JSON; null if it is not given
     * @param name of the argument
     * @throws UsageException if it names a file that is not there
     * @throws io.nixlkv.host.config.ConfigException if a file cannot be read
     */
    static HostConfig read(String argument, String name, Map<String, String> environment) {
        String text = argument == null ? "" : argument.strip();
        String variable = environment.getOrDefault(VARIABLE, "").strip();
        if (text.isEmpty() && absent(variable)) {
            throw new UsageException(
                    VARIABLE + " names " + variable + ", and there is no such file; correct or unset it");
        }
        String file = text.startsWith("@") ? text.substring(1) : text;
        if (!text.startsWith("{") && absent(file)) {
            throw new UsageException(name + ": there is no file " + file + "; give FILE, @FILE or JSON");
        }
        return HostConfig.from(argument, environment);
    }

    private static boolean absent(String file) {
        try {
            return !file.isEmpty() && Files.notExists(Path.of(file));
        } catch (InvalidPathException unreadable) {
            return false; // told by who reads it
        }
    }
}
