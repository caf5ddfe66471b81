package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Parameter.Type;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Map;

/** Files through GPUDirect Storage's batch interface. */
public final class GdsStrategy implements StorageStrategy {
    private static final String POOL = "batch_pool_size";
    private static final String LIMIT = "batch_limit";
    private static final String SIZE = "max_request_size";
    private static final int AUTO_RANK = 100;

    private static final Gds GDS = new Gds(
            Gds.info(
                    "GDS",
                    "Files through NVIDIA GPUDirect Storage, in batches.",
                    AUTO_RANK,
                    List.of(
                            Parameter.of(POOL, Type.INTEGER)
                                    .defaultValue("128")
                                    .range(1, 1024)
                                    .meaning("NIXL: batch objects that a worker keeps ready."),
                            Parameter.of(LIMIT, Type.INTEGER)
                                    .defaultValue("128")
                                    .range(1, 128)
                                    .meaning("NIXL: requests in one batch; cuFile has no room for more than 128."),
                            Parameter.of(SIZE, Type.BYTES)
                                    .defaultValue("16777216")
                                    .range(4096, 16L << 20)
                                    .meaning("NIXL: bytes of one request; longer transfers are cut."))),
            GdsStrategy::settings);

    /** One batch object for each request of ours: the plugin gives a batch back twice when a later one is still pending. */
    private static NixlSettings settings(StrategyConfig config) {
        return NixlSettings.of(
                        "GDS",
                        Map.of(
                                POOL, Long.toString(config.number(POOL)),
                                LIMIT, Long.toString(config.number(LIMIT)),
                                SIZE, Long.toString(config.number(SIZE))),
                        (int) config.number(LIMIT))
                .cutAt(config.number(SIZE))
                .silently();
    }

    @Override
    public StrategyInfo info() {
        return GDS.info();
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        return GDS.probe(config);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        return GDS.open(context);
    }
}
