package io.nixlkv.plugin.posix;

import io.nixlkv.nativeio.FileTransfers.Kind;
import io.nixlkv.nativeio.NixlLibrary.Storage;
import io.nixlkv.plugin.support.file.DirectoryCheck;
import io.nixlkv.plugin.support.file.FileBackend;
import io.nixlkv.plugin.support.file.FileModes;
import io.nixlkv.plugin.support.file.FileSettings;
import io.nixlkv.plugin.support.nixl.NixlAgents;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** POSIX files. The native engines need the native library; engine {@code nio} is pure Java and works everywhere. */
public final class PosixStrategy implements StorageStrategy {
    /** NIXL's name of the plugin. */
    public static final String NAME = "POSIX";

    /** The pure Java engine. */
    public static final String NIO = PosixEngines.NIO;

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
            return unusable(config, offer -> offer.because(wrong.get()));
        }
        FileSettings settings = PosixParameters.settings(config);
        Optional<DirectoryCheck.Problem> found = DirectoryCheck.found(settings.directories());
        if (found.isPresent()) {
            String sentence = found.get().sentence();
            return unusable(
                    config,
                    found.get().mistake()
                            ? offer -> offer.because(sentence)
                            : offer -> offer.without(Optional.of(sentence)));
        }
        return PosixEngines.names(config).stream()
                .map(engine -> EngineOffer.usable(engine, SEGMENTS, can(engine, settings))
                        .without(PosixEngines.problem(engine)))
                .toList();
    }

    private static Capabilities can(String engine, FileSettings settings) {
        return engine.equals(PosixEngines.NIXL) ? settings.libraryCapabilities() : settings.capabilities();
    }

    /** The offers where nothing can be found out: looking at directories that hang would hang too. */
    private static List<EngineOffer> unusable(StrategyConfig config, UnaryOperator<EngineOffer> judged) {
        FileSettings plain = new FileSettings(
                NAME, List.of(Path.of(PosixParameters.DEFAULT_DIRECTORY)), false, FileModes.of("0644", "0750"));
        return PosixEngines.names(config).stream()
                .map(engine -> judged.apply(EngineOffer.usable(engine, SEGMENTS, can(engine, plain))))
                .toList();
    }

    @Override
    public StorageBackend open(OpenContext context) {
        StrategyConfig config = context.config();
        String engine = context.engine();
        Optional<Kind> kind = PosixEngines.kind(engine);
        if (kind.isEmpty() && !engine.equals(NIO) && !engine.equals(PosixEngines.NIXL)) {
            throw new StorageException(
                    Status.INVALID,
                    NAME + " has no engine \"" + engine + "\"; it has "
                            + String.join(", ", PosixEngines.names(config)));
        }
        PosixParameters.problem(config).ifPresent(problem -> {
            throw new StorageException(Status.INVALID, NAME + ": " + problem);
        });
        PosixEngines.problem(engine).ifPresent(problem -> {
            throw new StorageException(Status.UNAVAILABLE, NAME + " engine " + engine + ": " + problem);
        });
        FileSettings settings = PosixParameters.settings(config);
        StorageBackend backend;
        if (kind.isPresent()) {
            backend = FileBackend.open(settings, PosixEngines.settings(config, kind.get()), context.arena());
        } else if (engine.equals(PosixEngines.NIXL)) {
            backend = FileBackend.open(
                    settings, NixlAgents.open(PosixEngines.nixlSettings(config), Storage.FILES, context.arena()));
        } else {
            backend = FileBackend.open(settings);
        }
        PosixEngines.unmet(config, engine)
                .ifPresent(queue -> LOG.warn(
                        "{} = true ({}) is not followed: {}; engine {} is used instead",
                        queue,
                        config.origin(queue),
                        PosixEngines.problemOfQueue(queue).orElse("another engine was asked for"),
                        engine));
        return backend;
    }
}
