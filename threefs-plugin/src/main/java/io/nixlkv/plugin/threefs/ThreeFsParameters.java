package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The configuration keys of 3FS and what is read from them. */
final class ThreeFsParameters {
    static final String MOUNT = "mount_point";
    static final String MEMORY = "mem_config";
    static final String ENTRIES = "iopool_size";
    static final String DRAM = "dram";
    static final String DRAM_ZC = "dram_zc";
    static final String AUTO = "auto";

    private static final String FOLDER = "hicache_storage";

    static final List<Parameter> ALL = FileParameters.with(
            null,
            List.of(
                    Parameter.of(MOUNT, Type.STRING)
                            .meaning("NIXL: where 3FS is mounted; required. Without file_path the objects are in "
                                    + FOLDER + " below it."),
                    Parameter.of(MEMORY, Type.CHOICE)
                            .defaultValue(DRAM)
                            .choices(DRAM, DRAM_ZC, AUTO)
                            .meaning("NIXL: copied buffers, shared ones, or shared where it can be."),
                    Parameter.of(ENTRIES, Type.INTEGER)
                            .defaultValue("64")
                            .range(1 << 6, 1 << 20)
                            .meaning("NIXL: transfers that a ring has room for.")));

    private ThreeFsParameters() {}

    /** What is wrong with the values taken together, as a sentence; empty when they are right. */
    static Optional<String> problem(StrategyConfig config) {
        if (config.text(MOUNT).isEmpty()) {
            return Optional.of(MOUNT + " is required, such as /mnt/3fs");
        }
        try {
            Path mount = mount(config);
            for (Path directory : directories(config)) {
                if (!directory.startsWith(mount)) {
                    return Optional.of("file_path " + directory + " is not below " + MOUNT + " " + mount);
                }
            }
        } catch (InvalidPathException unusable) {
            return Optional.of(unusable.getInput() + " is no path here: " + unusable.getReason());
        }
        return config.paths(FileParameters.FILE_PATH).isEmpty() ? Optional.empty() : FileParameters.problem(config);
    }

    static Path mount(StrategyConfig config) {
        return Path.of(config.text(MOUNT)).toAbsolutePath().normalize();
    }

    private static List<Path> directories(StrategyConfig config) {
        List<String> given = config.paths(FileParameters.FILE_PATH);
        return given.isEmpty()
                ? List.of(mount(config).resolve(FOLDER))
                : given.stream()
                        .map(path -> Path.of(path).toAbsolutePath().normalize())
                        .toList();
    }

    /** Settings of the file backend; the caller has checked the values. */
    static FileSettings settings(StrategyConfig config) {
        return FileParameters.settings(ThreeFsStrategy.NAME, config, directories(config));
    }

    static String memory(StrategyConfig config) {
        return config.text(MEMORY).toLowerCase(Locale.ROOT);
    }

    static int entries(StrategyConfig config) {
        return (int) config.number(ENTRIES);
    }
}
