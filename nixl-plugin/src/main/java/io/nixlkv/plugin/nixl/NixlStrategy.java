package io.nixlkv.plugin.nixl;

import io.nixlkv.plugin.support.nixl.NixlCatalog;
import io.nixlkv.plugin.support.nixl.NixlPlugin;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Native NIXL as a whole. Its engines are NIXL's plugins, each with the segments that it reports; under their own names they are
 * adopted as strategies.
 */
public final class NixlStrategy implements StorageStrategy {
    /** Name of this strategy. */
    public static final String NAME = "NIXL";

    private static final StrategyInfo INFO = new StrategyInfo(
            NAME,
            Set.of(),
            "Native NIXL: every plugin it has, as an engine here and as a strategy under its own name.",
            0,
            AdoptedParameters.with(List.<Parameter>of()));

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    /** One engine for each native plugin; one that tells what is missing where there is no NIXL. */
    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        NixlCatalog catalog = NixlCatalog.get();
        if (catalog.problem().isPresent()) {
            NixlPlugin none = new NixlPlugin(NAME, Adopted.FILE_SEGMENTS, Map.of(), catalog.problem());
            return List.of(Adopted.of(NAME, none).offer(NixlSettings.ENGINE, config));
        }
        return catalog.plugins().stream()
                .map(plugin -> ours(plugin).offer(engine(plugin), config))
                .toList();
    }

    private static String engine(NixlPlugin plugin) {
        return plugin.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public StorageBackend open(OpenContext context) {
        NixlCatalog catalog = NixlCatalog.get();
        NixlPlugin plugin = catalog.plugins().stream()
                .filter(each -> engine(each).equals(context.engine()))
                .findFirst()
                .orElseThrow(() -> Adopted.noEngine(NAME, context.engine(), catalog));
        return ours(plugin).open(context);
    }

    /** Without the options it tells of: this strategy declares only {@code parameters}. */
    private static Adopted ours(NixlPlugin plugin) {
        return Adopted.of(NAME, new NixlPlugin(plugin.name(), plugin.segments(), Map.of(), plugin.problem()));
    }

    /** A native plugin of that name, compared without regard to case; nothing is loaded to find out whether there is one. */
    @Override
    public Optional<StorageStrategy> adopt(String name) {
        String wanted = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return NixlCatalog.names().contains(wanted)
                ? NixlCatalog.get().plugin(wanted).map(AdoptedStrategy::new)
                : Optional.empty();
    }
}
