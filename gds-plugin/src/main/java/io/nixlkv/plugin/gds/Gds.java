package io.nixlkv.plugin.gds;

import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.nixl.NixlFiles;
import io.nixlkv.plugin.support.nixl.NixlSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Parameter;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What GDS and GDS_MT have in common. An agent has one of them and never both: NIXL refuses that.
 *
 * @param info how it presents itself
 * @param settings what the native plugin gets of a configuration
 */
record Gds(StrategyInfo info, Function<StrategyConfig, NixlSettings> settings) {
    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.VRAM_SEG, Segment.FILE_SEG);
    private static final String DEFAULT_DIRECTORY = "/tmp/hicache_storage";

    static StrategyInfo info(String name, String summary, int autoRank, List<Parameter> own) {
        return new StrategyInfo(name, Set.of(), summary, autoRank, FileParameters.with(DEFAULT_DIRECTORY, own));
    }

    List<EngineOffer> probe(StrategyConfig config) {
        return List.of(NixlFiles.offer(info.name(), SEGMENTS, config, Optional.empty(), settings.apply(config)));
    }

    StorageBackend open(OpenContext context) {
        if (!context.engine().equals(NixlSettings.ENGINE)) {
            throw new StorageException(
                    Status.INVALID,
                    info.name() + " has no engine \"" + context.engine() + "\"; it has " + NixlSettings.ENGINE);
        }
        StrategyConfig config = context.config();
        return NixlFiles.open(info.name(), config, Optional.empty(), settings.apply(config), context.arena());
    }
}
