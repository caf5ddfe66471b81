package io.nixlkv.plugin.threefs;

import io.nixlkv.plugin.support.file.DirectoryCheck;
import io.nixlkv.plugin.support.file.FileParameters;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.spi.Capabilities;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Files on 3FS: by its own ring, through native NIXL, or as ordinary files of the mount. */
public final class ThreeFsStrategy implements StorageStrategy {
    /** Name of the strategy; NIXL calls its plugin HF3FS. */
    public static final String NAME = "3FS";

    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.FILE_SEG);
    private static final int AUTO_RANK = 400;
    private static final StrategyInfo INFO =
            new StrategyInfo(NAME, Set.of("HF3FS"), "Files on DeepSeek's 3FS.", AUTO_RANK, ThreeFsParameters.ALL);

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        Optional<String> wrong = ThreeFsParameters.problem(config);
        FileSettings settings = wrong.isPresent() ? FileParameters.plain(NAME) : ThreeFsParameters.settings(config);
        Optional<String> unusable = wrong.or(() -> Mount.problem(ThreeFsParameters.mount(config)))
                .or(() -> DirectoryCheck.problem(settings.directories()));
        return ThreeFsEngines.NAMES.stream()
                .map(engine -> offer(EngineOffer.usable(engine, SEGMENTS, can(engine, settings)), unusable, config))
                .toList();
    }

    private static Capabilities can(String engine, FileSettings settings) {
        return engine.equals(ThreeFsEngines.POSIX) ? settings.capabilities() : settings.libraryCapabilities();
    }

    private static EngineOffer offer(EngineOffer usable, Optional<String> unusable, StrategyConfig config) {
        return unusable.map(usable::because)
                .orElseGet(() -> usable.without(ThreeFsEngines.problem(usable.engine(), config)));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        String engine = context.engine();
        if (!ThreeFsEngines.NAMES.contains(engine)) {
            throw new StorageException(
                    Status.INVALID,
                    NAME + " has no engine \"" + engine + "\"; it has " + String.join(", ", ThreeFsEngines.NAMES));
        }
        StrategyConfig config = context.config();
        ThreeFsParameters.problem(config).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, NAME + ": " + problem);
        });
        Mount.problem(ThreeFsParameters.mount(config))
                .or(() -> ThreeFsEngines.problem(engine, config))
                .ifPresent(problem -> {
                    throw new StorageException(Status.UNAVAILABLE, NAME + " engine " + engine + ": " + problem);
                });
        return ThreeFsEngines.open(engine, context);
    }
}
