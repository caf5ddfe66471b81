package io.nixlkv.host.discovery;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyInfo;

/**
 * A usable strategy. There is one instance of it in a catalog; it works until the catalog is closed.
 *
 * @param strategy the strategy
 * @param info what it says about itself, asked once
 * @param source file name of its jar, or {@link PluginCatalog#CLASS_PATH}
 * @param version version its jar states, or {@code unknown}
 */
public record FoundStrategy(StorageStrategy strategy, StrategyInfo info, String source, String version) {}
