package io.nixlkv.host.config;

import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Set;

/** Two made-up strategies with parameters of every kind. */
final class SampleStrategies {
    static final StrategyInfo DISK = new StrategyInfo(
            "DISK",
            Set.of("HDISK"),
            "Files for tests.",
            50,
            List.of(
                    Parameter.of("file_path", Type.PATHS)
                            .environment("DISK_DIRS", "DISK_DIR")
                            .defaultValue("/tmp/disk")
                            .meaning("Directories."),
                    Parameter.of("use_uring", Type.BOOLEAN)
                            .defaultValue("false")
                            .meaning("Ring."),
                    Parameter.of("depth", Type.INTEGER)
                            .range(1, 64)
                            .defaultValue("8")
                            .meaning("Depth."),
                    Parameter.of("mem_config", Type.CHOICE)
                            .choices("dram", "dram_zc")
                            .defaultValue("dram")
                            .meaning("Memory."),
                    Parameter.of("use_direct_io", Type.BOOLEAN)
                            .defaultValue("false")
                            .meaning("Direct I/O.")));

    static final StrategyInfo BUCKET = new StrategyInfo(
            "BUCKET",
            Set.of(),
            "Objects for tests.",
            10,
            List.of(
                    Parameter.of("bucket", Type.STRING)
                            .environment("AWS_DEFAULT_BUCKET")
                            .meaning("Bucket."),
                    Parameter.of("endpoint", Type.STRING)
                            .environment("ENDPOINT")
                            .meaning("Endpoint."),
                    Parameter.of("secret_key", Type.STRING)
                            .secret()
                            .aliases("secrete_key")
                            .environment("BUCKET_SECRET")
                            .meaning("Secret."),
                    Parameter.of("part_size", Type.BYTES)
                            .secret()
                            .range(1, 1000)
                            .meaning("Secret number.")));

    static final List<StrategyInfo> BOTH = List.of(DISK, BUCKET);

    private SampleStrategies() {}
}
