package io.nixlkv.host.discovery;

import io.nixlkv.spi.StorageStrategy;
import io.nixlkv.spi.StrategyInfo;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of discovery: class path first, then the jars of a folder by file name. Used once, by one thread. */
final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
    private static final String UNKNOWN_VERSION = "unknown";
    private static final int MAX_CLASS_PATH_FAILURES = 100; // a service loader may repeat one failure for ever

    private final List<FoundStrategy> found = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private StrategyPluginManager manager;

    /** Takes the strategies that {@code classPath} offers. */
    void searchClassPath(ClassLoader classPath) {
        Iterator<StorageStrategy> providers =
                ServiceLoader.load(StorageStrategy.class, classPath).iterator();
        int failures = 0;
        while (failures < MAX_CLASS_PATH_FAILURES) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                StorageStrategy strategy = providers.next();
                add(strategy, PluginCatalog.CLASS_PATH, versionOf(strategy));
            } catch (RefusedException refused) {
                reject(PluginCatalog.CLASS_PATH, refused.getMessage());
            } catch (ServiceConfigurationError failure) {
                failures++;
                String why = failure.getCause() == null ? "" : ": " + Failures.text(failure.getCause());
                reject(PluginCatalog.CLASS_PATH, failure.getMessage() + why);
            } catch (Throwable failure) {
                failures++;
                reject(PluginCatalog.CLASS_PATH, Failures.reason("loading", "a strategy", failure));
            }
        }
    }

    /** Takes the strategies of the jars in {@code folder}, which may be absent. */
    void searchFolder(Path folder, ClassLoader host) {
        List<PluginJar> jars =
                DependencyCheck.loadable(inspected(jarsIn(folder)), (jar, reason) -> reject(jar.file(), reason));
        if (jars.isEmpty()) {
            return;
        }
        Map<String, PluginJar> byId = withUniqueIds(jars);
        manager = new StrategyPluginManager(folder, byId, new PluginParentLoader(host));
        manager.loadPlugins();
        manager.startPlugins();
        byId.forEach((id, jar) -> {
            boolean usedByOthers = jars.stream().anyMatch(other -> other.uses(jar.id()));
            takeStrategies(id, jar, usedByOthers);
        });
    }

    /** What was found; the catalog takes over the open jars. */
    PluginCatalog result() {
        rejections.forEach(rejection -> LOG.warn("{}: {}", rejection.source(), rejection.reason()));
        return new PluginCatalog(found, rejections, Optional.ofNullable(manager));
    }

    /** Closes what an unfinished run has opened. */
    void abandon() {
        if (manager != null) {
            manager.unloadPlugins();
        }
    }

    private List<Path> jarsIn(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            LOG.debug("there is no plugins folder {}", folder);
            return List.of();
        }
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Discovery::isNamedJar)) {
            entries.forEach(jars::add);
        } catch (IOException | RuntimeException unreadable) {
            reject(folder.toString(), "is not a folder that can be read (" + Failures.text(unreadable) + ")");
        }
        jars.sort(Comparator.comparing(jar -> jar.getFileName().toString()));
        return jars;
    }

    private static boolean isNamedJar(Path path) {
        return path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".jar");
    }

    private List<PluginJar> inspected(List<Path> paths) {
        List<PluginJar> jars = new ArrayList<>();
        for (Path path : paths) {
            try {
                PluginJar jar = JarInspection.inspect(path);
                jar.pluginClass()
                        .ifPresent(name -> LOG.warn(
                                "{}: its Plugin-Class {} is never created or started; strategies are all that is used",
                                jar.file(),
                                name));
                jars.add(jar);
            } catch (RefusedException refused) {
                reject(path.getFileName().toString(), refused.getMessage());
            }
        }
        return jars;
    }

    /** The first jar of an id keeps it, so that dependencies find it; a strategy is known by its own name, not by this id. */
    private static Map<String, PluginJar> withUniqueIds(List<PluginJar> jars) {
        Map<String, PluginJar> byId = new LinkedHashMap<>();
        for (PluginJar jar : jars) {
            byId.put(byId.containsKey(jar.id()) ? jar.id() + " of " + jar.file() : jar.id(), jar);
        }
        return byId;
    }

    private void takeStrategies(String id, PluginJar jar, boolean usedByOthers) {
        if (manager.getPlugin(id) == null) {
            reject(
                    jar.file(),
                    "could not be loaded: " + manager.failure(jar.file()).orElse("PF4J gives no reason"));
            return;
        }
        if (jar.strategies().isEmpty() && !usedByOthers) {
            reject(jar.file(), "jar contains no " + JarInspection.SERVICES + "; list its strategy's class name there");
        }
        ClassLoader loader = manager.getPluginClassLoader(id);
        for (String className : manager.getExtensionClassNames(id)) {
            try {
                add(StrategyLoader.instance(loader, className), jar.file(), jar.version());
            } catch (RefusedException refused) {
                reject(jar.file(), refused.getMessage());
            }
        }
    }

    private void add(StorageStrategy strategy, String source, String version) throws RefusedException {
        StrategyInfo info = StrategyLoader.info(strategy);
        for (FoundStrategy earlier : found) {
            if (earlier.info().name().equals(info.name())) {
                throw new RefusedException(taken(info.name(), earlier.source()));
            }
        }
        found.add(new FoundStrategy(new GuardedStrategy(strategy, info, source), info, source, version));
        LOG.debug("strategy {} from {}", info.name(), source);
    }

    private static String taken(String name, String owner) {
        return owner.equals(PluginCatalog.CLASS_PATH)
                ? "its strategy " + name + " is on the class path already, which wins; remove one of the two"
                : "its strategy " + name + " is given by " + owner
                        + " already, and the first by file name is used; remove one of the two";
    }

    private static String versionOf(StorageStrategy strategy) {
        return Optional.ofNullable(strategy.getClass().getPackage().getImplementationVersion())
                .orElse(UNKNOWN_VERSION);
    }

    private void reject(String source, String reason) {
        rejections.add(new Rejection(source, reason));
    }
}
