package io.nixlkv.host.discovery;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.pf4j.DefaultPluginDescriptor;
import org.pf4j.Plugin;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PluginRepository;
import org.pf4j.PluginRuntimeException;

/** Shows PF4J the jars that passed inspection, and their descriptors, without its reading the folder again. */
final class InspectedJars implements PluginRepository, PluginDescriptorFinder {
    private final Map<String, PluginJar> jars;

    /** @param jars by unique PF4J id, in the order of loading */
    InspectedJars(Map<String, PluginJar> jars) {
        this.jars = jars;
    }

    @Override
    public List<Path> getPluginPaths() {
        return jars.values().stream().map(PluginJar::path).toList();
    }

    @Override
    public boolean deletePluginPath(Path path) {
        return false;
    }

    @Override
    public boolean isApplicable(Path path) {
        return jars.values().stream().anyMatch(jar -> jar.path().equals(path));
    }

    @Override
    public PluginDescriptor find(Path path) {
        return jars.entrySet().stream()
                .filter(entry -> entry.getValue().path().equals(path))
                .map(entry -> descriptor(entry.getKey(), entry.getValue()))
                .findFirst()
                .orElseThrow(() -> new PluginRuntimeException("not an inspected jar: {}", path));
    }

    private static PluginDescriptor descriptor(String id, PluginJar jar) {
        DefaultPluginDescriptor descriptor =
                new DefaultPluginDescriptor(id, "", Plugin.class.getName(), jar.version(), jar.requires(), "", "");
        jar.dependencies().forEach(descriptor::addDependency);
        return descriptor;
    }
}
