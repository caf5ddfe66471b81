package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.file.FileModes;
import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The configuration keys of POSIX and what is read from them. */
final class PosixParameters {
    /** NIXL's own queues; at most one may be chosen. */
    static final List<String> QUEUES = List.of("use_uring", "use_aio", "use_posix_aio");

    static final String DEFAULT_DIRECTORY = "/tmp/hicache_storage";

    static final List<Parameter> ALL = List.of(
            Parameter.of("file_path", Type.PATHS)
                    .defaultValue(DEFAULT_DIRECTORY)
                    .environment("SGLANG_HICACHE_NIXL_BACKEND_STORAGE_DIR")
                    .meaning("Directory of the objects, or several, separated by commas; made when missing."),
            Parameter.of("use_direct_io", Type.BOOLEAN)
                    .defaultValue("true")
                    .meaning("Bypass the page cache for every transfer whose address and length are aligned."),
            Parameter.of("sync", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("A write is done only when data and name are on stable storage."),
            Parameter.of("file_mode", Type.STRING)
                    .defaultValue("0644")
                    .meaning("Octal permissions of new files, before the umask; never executable."),
            Parameter.of("dir_mode", Type.STRING)
                    .defaultValue("0750")
                    .meaning("Octal permissions of new directories, before the umask."),
            Parameter.of("submitters", Type.INTEGER)
                    .defaultValue("2")
                    .range(1, 16)
                    .meaning("Engine threads: most threads that move bytes while fewer workers than that are busy."),
            Parameter.of("use_uring", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("NIXL: use engine uring if it works here."),
            Parameter.of("use_aio", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("NIXL: use engine aio if it works here."),
            Parameter.of("use_posix_aio", Type.BOOLEAN)
                    .defaultValue("false")
                    .meaning("NIXL: use engine posix_aio if it works here."),
            Parameter.of("ios_pool_size", Type.INTEGER)
                    .defaultValue("65536")
                    .range(0, 65536)
                    .meaning(
                            "NIXL: requests a queue can hold, 64 to 65536, 0 for the default; engines threads and nio have none."),
            Parameter.of("kernel_queue_size", Type.INTEGER)
                    .defaultValue("256")
                    .range(0, 1024)
                    .meaning(
                            "NIXL: depth of a worker's queue, 16 to 1024, 0 for the default; engines threads and nio have none."));

    private static final long LEAST_POOL = 64;
    private static final long LEAST_QUEUE = 16;

    private PosixParameters() {}

    /** What is wrong with the values taken together, as a sentence; empty when they are right. */
    static Optional<String> problem(StrategyConfig config) {
        List<String> chosen = chosenQueues(config);
        if (chosen.size() > 1) {
            return Optional.of(String.join(" and ", chosen) + " exclude each other; set at most one of them to true");
        }
        Optional<String> size = tooSmall(config, "ios_pool_size", LEAST_POOL)
                .or(() -> tooSmall(config, "kernel_queue_size", LEAST_QUEUE));
        if (size.isPresent()) {
            return size;
        }
        return FileParameters.problem(config);
    }

    private static Optional<String> tooSmall(StrategyConfig config, String key, long least) {
        long value = config.number(key);
        return value > 0 && value < least
                ? Optional.of(key + " must be 0 (default) or at least " + least + ", not " + value)
                : Optional.empty();
    }

    static List<String> chosenQueues(StrategyConfig config) {
        return QUEUES.stream().filter(config::flag).toList();
    }

    static List<Path> directories(StrategyConfig config) {
        return config.paths("file_path").stream().map(Path::of).toList();
    }

    /** The values as settings of the file backend. The caller has checked them with {@link #problem}. */
    static FileSettings settings(StrategyConfig config) {
        return new FileSettings(
                PosixStrategy.NAME,
                directories(config),
                config.flag("use_direct_io"),
                FileModes.of(config.text("file_mode"), config.text("dir_mode")));
    }
}
