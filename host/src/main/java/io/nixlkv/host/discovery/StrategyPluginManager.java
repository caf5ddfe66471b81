package io.nixlkv.host.discovery;

import io.nixlkv.spi.SpiVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pf4j.AbstractExtensionFinder;
import org.pf4j.ExtensionFinder;
import org.pf4j.JarPluginLoader;
import org.pf4j.JarPluginManager;
import org.pf4j.Plugin;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginFactory;
import org.pf4j.PluginManager;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PluginStatusProvider;
import org.pf4j.PluginWrapper;

/**
 * PF4J, hardened: it gets inspected jars only, in a fixed order, reads nothing but their services file, never creates a
 * plugin's Plugin-Class, keeps no state in the plugins folder, and survives whatever one plugin does. One thread uses it.
 */
final class StrategyPluginManager extends JarPluginManager {
    private final Map<String, String> failures = new LinkedHashMap<>();

    /**
     * @param folder where the jars lie
     * @param jars the inspected jars by unique PF4J id, in the order of loading
     * @param parent the parent of every plugin's loader
     */
    StrategyPluginManager(Path folder, Map<String, PluginJar> jars, ClassLoader parent) {
        super(folder);
        setSystemVersion(SpiVersion.CURRENT);
        setExactVersionAllowed(true);
        InspectedJars inspected = new InspectedJars(jars);
        pluginRepository = inspected;
        pluginDescriptorFinder = inspected;
        pluginLoader = new JarPluginLoader(this) {
            @Override
            protected PluginClassLoader createPluginClassLoader(Path path, PluginDescriptor descriptor) {
                return new SharingClassLoader(pluginManager, descriptor, parent);
            }
        };
        extensionFinder = new ServicesFinder(this, jars);
    }

    @Override
    protected void initialize() {
        super.initialize();
        plugins = new LinkedHashMap<>(); // PF4J's is a HashMap: no order of unloading
        setResolveRecoveryStrategy(ResolveRecoveryStrategy.IGNORE_PLUGIN_AND_CONTINUE);
    }

    @Override
    protected PluginFactory createPluginFactory() {
        return wrapper -> new Plugin();
    }

    @Override
    protected ExtensionFinder createExtensionFinder() {
        return null; // the constructor sets it: here no field of this class has a value yet
    }

    @Override
    protected PluginStatusProvider createPluginStatusProvider() {
        return new AlwaysEnabled();
    }

    @Override
    protected PluginWrapper loadPluginFromPath(Path path) {
        try {
            return super.loadPluginFromPath(path);
        } catch (RuntimeException | LinkageError failure) {
            failures.put(path.getFileName().toString(), Failures.text(failure));
            throw new PluginRuntimeException(failure);
        }
    }

    /** Why PF4J could not load the jar called {@code file}; empty if it could. */
    Optional<String> failure(String file) {
        return Optional.ofNullable(failures.get(file));
    }

    /** Unloads every plugin, the last loaded first, and closes its jar. One that cannot be unloaded does not keep the others. */
    @Override
    public void unloadPlugins() {
        List<PluginWrapper> all = new ArrayList<>(getPlugins());
        Collections.reverse(all);
        List<RuntimeException> problems = new ArrayList<>();
        for (PluginWrapper plugin : all) {
            try {
                unloadPlugin(plugin.getPluginId());
            } catch (RuntimeException failure) {
                problems.add(failure);
            }
        }
        if (!problems.isEmpty()) {
            RuntimeException first = problems.remove(0);
            problems.forEach(first::addSuppressed);
            throw first;
        }
    }

    /** PF4J's own version meets a changed list and stops one plugin only. */
    @Override
    public void stopPlugins() {
        List<PluginWrapper> started = new ArrayList<>(getStartedPlugins());
        Collections.reverse(started);
        started.forEach(plugin -> stopPlugin(plugin.getPluginId()));
    }

    private static final class SharingClassLoader extends PluginClassLoader {
        SharingClassLoader(PluginManager manager, PluginDescriptor descriptor, ClassLoader parent) {
            super(manager, descriptor, parent);
        }

        @Override
        protected boolean shouldDelegateToParent(String className) {
            return SharedPackages.contain(className);
        }
    }

    /** Answers with the services files read by the inspection; other services of a jar are none of the host's business. */
    private static final class ServicesFinder extends AbstractExtensionFinder {
        private final Map<String, PluginJar> jars;

        ServicesFinder(PluginManager manager, Map<String, PluginJar> jars) {
            super(manager);
            this.jars = jars;
            setCheckForExtensionDependencies(false);
        }

        @Override
        public Map<String, Set<String>> readPluginsStorages() {
            Map<String, Set<String>> names = new LinkedHashMap<>();
            jars.forEach((id, jar) -> names.put(id, new LinkedHashSet<>(jar.strategies())));
            return names;
        }

        @Override
        public Map<String, Set<String>> readClasspathStorages() {
            return Map.of();
        }
    }

    private static final class AlwaysEnabled implements PluginStatusProvider {
        @Override
        public boolean isPluginDisabled(String pluginId) {
            return false;
        }

        @Override
        public void disablePlugin(String pluginId) {
            throw new UnsupportedOperationException("a plugin is disabled by taking its jar away");
        }

        @Override
        public void enablePlugin(String pluginId) {
            // every plugin is
        }
    }
}
