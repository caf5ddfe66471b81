package io.nixlkv.host;

import io.nixlkv.host.config.ModeSettings;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;

/**
 * A strategy's configuration as one of several worker processes sees it: one path of a list with {@code path_sharding = "by_gpu"},
 * one endpoint of {@code endpoint_list}.
 */
final class WorkerPart implements StrategyConfig {
    /** The parameter that an endpoint list overrides; a strategy without it ignores the list. */
    static final String ENDPOINT = "endpoint_override";

    private final StrategyConfig all;
    private final StrategyInfo info;
    private final ModeSettings modes;
    private final String endpoint;

    private WorkerPart(StrategyConfig all, StrategyInfo info, ModeSettings modes, String endpoint) {
        this.all = all;
        this.info = info;
        this.modes = modes;
        this.endpoint = endpoint;
    }

    static StrategyConfig of(StrategyConfig all, StrategyInfo info, ModeSettings modes) {
        boolean takesEndpoint = takesEndpoints(info) && !modes.endpoints().isEmpty();
        if (!modes.byGpu() && !takesEndpoint) {
            return all;
        }
        return new WorkerPart(
                all,
                info,
                modes,
                takesEndpoint
                        ? modes.endpoints()
                                .get(modes.localWorkerId() % modes.endpoints().size())
                        : null);
    }

    static boolean takesEndpoints(StrategyInfo info) {
        return info.parameter(ENDPOINT).isPresent();
    }

    private boolean isEndpoint(String key) {
        return endpoint != null
                && info.parameter(ENDPOINT)
                        .map(parameter -> parameter.answersTo(key))
                        .orElse(false);
    }

    private boolean isPaths(String key) {
        return modes.byGpu()
                && info.parameter(key)
                        .map(parameter -> parameter.type() == Parameter.Type.PATHS)
                        .orElse(false);
    }

    @Override
    public String text(String key) {
        return isEndpoint(key) ? endpoint : isPaths(key) ? String.join(",", paths(key)) : all.text(key);
    }

    @Override
    public boolean flag(String key) {
        return all.flag(key);
    }

    @Override
    public long number(String key) {
        return all.number(key);
    }

    @Override
    public List<String> paths(String key) {
        List<String> paths = all.paths(key);
        return isPaths(key) && !paths.isEmpty() ? List.of(paths.get(modes.localWorkerId() % paths.size())) : paths;
    }

    @Override
    public boolean given(String key) {
        return isEndpoint(key) || all.given(key);
    }

    @Override
    public String origin(String key) {
        return isEndpoint(key) ? "store.endpoint_list" : all.origin(key);
    }

    @Override
    public String toString() {
        return "one worker's part of " + all;
    }
}
