package io.nixlkv.plugin.posix;

import io.nixlkv.plugin.support.file.DirectoryCheck;
import io.nixlkv.plugin.support.file.FileBackend;
import io.nixlkv.plugin.support.file.FileModes;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.spi.EngineOffer;
import io.nixlkv.spi.OpenContext;
import io.nixlkv.spi.Segment;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageBackend;
import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyConfig;
import io.nixlkv.spi.StrategyInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** POSIX files. Engine {@code nio} is pure Java and works everywhere. */
public final class PosixStrategy implements StorageStrategy {
    /** NIXL's name of the plugin. */
    public static final String NAME = "POSIX";

    /** The pure Java engine. */
    public static final String NIO = "nio";

    private static final Logger LOG = LoggerFactory.getLogger(PosixStrategy.class);
    private static final Set<Segment> SEGMENTS = Set.of(Segment.DRAM_SEG, Segment.FILE_SEG);
    private static final int AUTO_RANK = 300;
    private static final StrategyInfo INFO = new StrategyInfo(
            NAME, Set.of(), "Objects as ordinary files in a directory.", AUTO_RANK, PosixParameters.ALL);

    @Override
    public StrategyInfo info() {
        return INFO;
    }

    @Override
    public List<EngineOffer> probe(StrategyConfig config) {
        Optional<String> wrong = PosixParameters.problem(config);
        if (wrong.isPresent()) {
            return unusable(wrong.get());
        }
        FileSettings settings = PosixParameters.settings(config);
        return DirectoryCheck.problem(settings.directories())
                .map(PosixStrategy::unusable)
                .orElseGet(() -> List.of(EngineOffer.usable(NIO, SEGMENTS, settings.capabilities())));
    }

    /** The offer where nothing can be found out: looking at directories that hang would hang too. */
    private static List<EngineOffer> unusable(String reason) {
        FileSettings plain = new FileSettings(
                NAME, List.of(Path.of(PosixParameters.DEFAULT_DIRECTORY)), false, FileModes.of("0644", "0750"));
        return List.of(EngineOffer.usable(NIO, SEGMENTS, plain.capabilities()).because(reason));
    }

    @Override
    public StorageBackend open(OpenContext context) {
        StrategyConfig config = context.config();
        if (!context.engine().equals(NIO)) {
            throw new StorageException(
                    Status.INVALID, NAME + " has no engine \"" + context.engine() + "\" here; use engine = \"nio\"");
        }
        PosixParameters.problem(config).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, NAME + ": " + problem);
        });
        FileBackend backend = FileBackend.open(PosixParameters.settings(config));
        PosixParameters.chosenQueues(config)
                .forEach(queue -> LOG.warn(
                        "{} = true ({}) asks for a native queue that is not available here; engine nio is used instead",
                        queue,
                        config.origin(queue)));
        return backend;
    }
}
