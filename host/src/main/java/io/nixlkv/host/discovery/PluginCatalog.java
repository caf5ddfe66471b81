package io.nixlkv.host.discovery;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyInfo;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage strategies of one host, and why others are not among them. Its lists never change; thread-safe. It owns the
 * plugins' class loaders: close it after every store that uses a strategy of it.
 */
public final class PluginCatalog implements AutoCloseable {
    /** Source of a strategy that no plugin jar gives. */
    public static final String CLASS_PATH = "class path";

    private static final Logger LOG = LoggerFactory.getLogger(PluginCatalog.class);

    private final List<FoundStrategy> strategies;
    private final List<Rejection> rejections;
    private final Optional<StrategyPluginManager> manager;
    private final Map<String, FoundStrategy> adopted = new ConcurrentHashMap<>();
    private boolean closed;

    PluginCatalog(List<FoundStrategy> strategies, List<Rejection> rejections, Optional<StrategyPluginManager> manager) {
        this.strategies = List.copyOf(strategies);
        this.rejections = rejections.stream()
                .sorted(Comparator.comparing((Rejection r) -> !r.source().equals(CLASS_PATH))
                        .thenComparing(Rejection::source))
                .toList();
        this.manager = manager;
    }

    /**
     * Searches the class path, then the jars that lie directly in {@code pluginsFolder}, by file name. Nothing in the folder is
     * changed, and nothing but files named {@code *.jar} is read. What one jar does wrong, be it an {@link Error} thrown by a
     * class of it, ends as one of the {@link #rejections()} and costs no other jar.
     *
     * @param pluginsFolder may be absent, or a link to a folder
     */
    public static PluginCatalog discover(Path pluginsFolder) {
        return discover(pluginsFolder, PluginCatalog.class.getClassLoader());
    }

    static PluginCatalog discover(Path pluginsFolder, ClassLoader classPath) {
        Discovery discovery = new Discovery();
        try {
            discovery.searchClassPath(classPath);
            discovery.searchFolder(pluginsFolder, PluginCatalog.class.getClassLoader());
        } catch (RuntimeException | Error failure) {
            discovery.abandon();
            throw failure;
        }
        return discovery.result();
    }

    /** The usable strategies: those of the class path first, then by the file name of their jar. */
    public List<FoundStrategy> strategies() {
        return strategies;
    }

    /** What was refused, by the same order. A jar may appear here and among the strategies, with different classes. */
    public List<Rejection> rejections() {
        return rejections;
    }

    /**
     * The strategy with this name, else the first with this alias, else the first that a strategy adopts under it; compared
     * without regard to case, with {@code -} equal to {@code _}. An adopted strategy is made once and kept.
     */
    public Optional<FoundStrategy> find(String name) {
        String normal = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return strategies.stream()
                .filter(found -> found.info().name().equals(normal))
                .findFirst()
                .or(() -> strategies.stream()
                        .filter(found -> found.info().answersTo(name))
                        .findFirst())
                .or(() -> Optional.ofNullable(adopted.computeIfAbsent(normal, key -> adopt(name))));
    }

    /** Closes every plugin jar. The strategies must not be used any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            manager.ifPresent(StrategyPluginManager::unloadPlugins);
        }
    }

    private FoundStrategy adopt(String name) {
        for (FoundStrategy found : strategies) {
            try {
                Optional<StorageStrategy> strategy = StrategyLoader.adopted(found.strategy(), name);
                if (strategy.isPresent()) {
                    StrategyInfo info = StrategyLoader.info(strategy.get());
                    return new FoundStrategy(
                            new GuardedStrategy(strategy.get(), info, found.source()),
                            info,
                            found.source(),
                            found.version());
                }
            } catch (RefusedException refused) {
                LOG.warn("{}: {}", found.source(), refused.getMessage());
            }
        }
        return null;
    }
}
