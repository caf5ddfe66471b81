package io.nixlkv.cli;

import io.nixlkv.host.config.HostConfig;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that give a configuration, and what SGLang's file has no place for. */
final class ConfigOption {
    @Option(
            names = "--config",
            paramLabel = "CONFIG",
            description = {
                "Configuration: FILE, @FILE, or JSON in SGLang's or LMCache's form;",
                "default: the file that LMCACHE_CONFIG_FILE names, else what environment and defaults give."
            })
    private String config;

    @Option(
            names = "--l2-adapter",
            paramLabel = "JSON",
            description = "Configuration as LMCache's adapter nixl_native takes it, instead of --config.")
    private String l2Adapter;

    @Option(
            names = "--l1-align-bytes",
            paramLabel = "BYTES",
            description = "Alignment of objects in memory, a power of two; layout lmcache pads direct transfers to it.")
    private Integer l1AlignBytes;

    @Option(
            names = "--l1-size-gb",
            paramLabel = "GIB",
            description = "Memory for transfers; a command takes what its objects need.")
    private String l1SizeGb;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "The store's one model, for layouts hicache, lmcache-dynamic and lmcache-engine.")
    private String model;

    @Option(names = "--tp-rank", paramLabel = "N", description = "Tensor-parallel rank, for layout hicache.")
    private String tpRank;

    @Option(names = "--tp-size", paramLabel = "N", description = "Tensor-parallel size, for layout hicache.")
    private String tpSize;

    @Option(names = "--mla", description = "It is an MLA model, for layout hicache.")
    private boolean mla;

    @Option(
            names = "--host-layout",
            paramLabel = "NAME",
            description = "SGLang's layout of host memory, for layout hicache.")
    private String hostLayout;

    Integer l1AlignBytes() {
        return l1AlignBytes;
    }

    boolean l1SizeGiven() {
        return l1SizeGb != null;
    }

    /** Whether an option or the environment names a configuration. */
    boolean given(Map<String, String> environment) {
        return config != null || l2Adapter != null || HostConfig.isInEnvironment(environment);
    }

    /**
     * The configuration.
     *
     * @throws io.nixlkv.host.config.ConfigException if a file cannot be read
     */
    HostConfig read(Map<String, String> environment) {
        if (config != null && l2Adapter != null) {
            throw new UsageException("--config and --l2-adapter exclude each other; give one of them");
        }
        if (config != null && config.isBlank()) {
            throw new UsageException("--config: a file name is missing");
        }
        HostConfig read = l2Adapter == null
                ? ConfigSource.read(config, "--config", environment)
                : HostConfig.adapter(l2Adapter, environment);
        read = with(read, "store.model", model);
        read = with(read, "store.tp_rank", tpRank);
        read = with(read, "store.tp_size", tpSize);
        read = with(read, "store.mla", mla ? "true" : null);
        read = with(read, "store.arena_gb", l1SizeGb);
        String align = l1AlignBytes == null ? null : l1AlignBytes.toString();
        read = with(with(read, "store.arena_align_bytes", align), "store.l1_align_bytes", align);
        return with(read, "store.host_layout", hostLayout);
    }

    private static HostConfig with(HostConfig config, String key, String value) {
        return value == null ? config : config.withCall(key, value);
    }
}
