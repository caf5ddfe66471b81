package io.nixlkv.host.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.pf4j.DefaultVersionManager;
import org.pf4j.PluginDependency;

/**
 * Takes out the jars whose dependencies cannot be met. PF4J's own resolver gives up on every plugin at a cycle, and at a wrong
 * version drops the plugin that is depended upon; therefore it only ever sees what passed here.
 */
final class DependencyCheck {
    private final List<PluginJar> remaining;
    private final BiConsumer<PluginJar, String> refuse;

    private DependencyCheck(List<PluginJar> jars, BiConsumer<PluginJar, String> refuse) {
        this.remaining = new ArrayList<>(jars);
        this.refuse = refuse;
    }

    /** The jars that can be loaded, in the given order; each other one is handed to {@code refuse} with the reason. */
    static List<PluginJar> loadable(List<PluginJar> jars, BiConsumer<PluginJar, String> refuse) {
        DependencyCheck check = new DependencyCheck(jars, refuse);
        check.removeUnmet();
        check.removeCycles();
        return List.copyOf(check.remaining);
    }

    private void removeUnmet() {
        boolean removed;
        do {
            removed = remaining.removeIf(jar -> {
                Optional<String> problem = jar.dependencies().stream()
                        .filter(dependency -> !dependency.isOptional())
                        .flatMap(dependency -> problem(dependency).stream())
                        .findFirst();
                problem.ifPresent(reason -> refuse.accept(jar, reason));
                return problem.isPresent();
            });
        } while (removed);
    }

    private void removeCycles() {
        List<PluginJar> unordered = new ArrayList<>(remaining);
        boolean removed;
        do {
            Set<String> ids = unordered.stream().map(PluginJar::id).collect(Collectors.toSet());
            removed = unordered.removeIf(jar -> ids.stream().noneMatch(jar::needs));
        } while (removed);
        String names = unordered.stream().map(PluginJar::file).collect(Collectors.joining(", "));
        unordered.forEach(jar ->
                refuse.accept(jar, "Plugin-Dependencies lead in a circle, or to one, among these jars: " + names));
        remaining.removeAll(unordered);
    }

    private Optional<String> problem(PluginDependency dependency) {
        String id = dependency.getPluginId();
        String range = dependency.getPluginVersionSupport();
        String wanted = "needs plugin " + id + " in version " + range + ", ";
        Optional<PluginJar> found =
                remaining.stream().filter(jar -> jar.id().equals(id)).findFirst();
        if (found.isEmpty()) {
            return Optional.of(wanted + "which is not among the usable jars of the plugins folder; add it there");
        }
        PluginJar present = found.get();
        String has = present.file() + " has version " + present.version();
        try {
            return new DefaultVersionManager().checkVersionConstraint(present.version(), range)
                    ? Optional.empty()
                    : Optional.of(wanted + "but " + has);
        } catch (RuntimeException notComparable) {
            return Optional.of(
                    wanted + "but " + has + ", and the two cannot be compared; versions have the form 1.2.3");
        }
    }
}
