package io.nixlkv.plugin.nixl;

import io.nixlkv.plugin.support.nixl.NixlCatalog;
import io.nixlkv.plugin.support.nixl.NixlPlugin;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Set;

/** One native plugin under its own name. */
final class AdoptedStrategy implements StorageStrategy {
    private final NixlPlugin plugin;
    private final StrategyInfo info;

    AdoptedStrategy(NixlPlugin plugin) {
        this.plugin = plugin;
        info = new StrategyInfo(
                plugin.name(),
                Set.of(),
                "NIXL's native plugin " + plugin.name() + ", adopted: its parameters are passed through, not checked.",
                0,
                AdoptedParameters.with(AdoptedParameters.ofOptions(plugin.options())));
    }

    @Override
    public StrategyInfo info() {
        return info;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        return List.of(Adopted.of(plugin.name(), plugin).offer(NixlSettings.ENGINE, config));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        if (!context.engine().equals(NixlSettings.ENGINE)) {
            throw Adopted.noEngine(plugin.name(), context.engine(), NixlCatalog.get());
        }
        return Adopted.of(plugin.name(), plugin).open(context);
    }
}
