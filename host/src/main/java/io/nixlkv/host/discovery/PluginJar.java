package io.nixlkv.host.discovery;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.pf4j.PluginDependency;

/**
 * What the manifest and the services file of a plugin jar say; read without loading a class of it.
 *
 * @param path where it lies
 * @param id Plugin-Id, which other plugins name in Plugin-Dependencies
 * @param version Plugin-Version, any text
 * @param requires Plugin-Requires, a range of SPI versions that holds for this host
 * @param dependencies Plugin-Dependencies
 * @param pluginClass Plugin-Class, if one is declared
 * @param strategies class names of its services file, in its order; empty if it has none
 */
record PluginJar(
        Path path,
        String id,
        String version,
        String requires,
        List<PluginDependency> dependencies,
        Optional<String> pluginClass,
        List<String> strategies) {

    /** The file's name, by which people know it. */
    String file() {
        return path.getFileName().toString();
    }

    /** Whether it cannot work without the plugin called {@code other}. */
    boolean needs(String other) {
        return dependencies.stream()
                .anyMatch(d -> !d.isOptional() && d.getPluginId().equals(other));
    }

    /** Whether it sees the classes of the plugin called {@code other}, needed or optional. */
    boolean uses(String other) {
        return dependencies.stream().anyMatch(d -> d.getPluginId().equals(other));
    }
}
