package io.nixlkv.host.selection;

import io.nixlkv.host.config.ConfigProblem;
import io.nixlkv.host.discovery.FoundStrategy;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.StrategyConfig;
import java.util.List;

/**
 * What a store is opened with.
 *
 * @param strategy the chosen strategy
 * @param engine its chosen engine, usable and accepted by the capability gate
 * @param config the strategy's checked parameters
 * @param reasons one sentence for each candidate tried, in order, the chosen one last
 * @param warnings about the configuration and the choice
 */
public record Selection(
        FoundStrategy strategy,
        EngineOffer engine,
        StrategyConfig config,
        List<String> reasons,
        List<ConfigProblem> warnings) {
    public Selection {
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
    }
}
