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

/** Files through GPUDirect Storage with threads. */
public final class GdsMtStrategy implements StorageStrategy {
    private static final String THREADS = "thread_count";
    private static final int AUTO_RANK = 200;
    private static final int SLOTS = 1024;

    private static final Gds GDS = new Gds(
            Gds.info(
                    "GDS_MT",
                    "Files through NVIDIA GPUDirect Storage, with threads.",
                    AUTO_RANK,
                    List.of(Parameter.of(THREADS, Type.INTEGER)
                            .defaultValue("4")
                            .range(1, 1024)
                            .meaning("NIXL: threads of a worker."))),
            config -> NixlSettings.of("GDS_MT", Map.of(THREADS, Long.toString(config.number(THREADS))), SLOTS)
                    .silently());

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
