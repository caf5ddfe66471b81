package io.nixlkv.host.discovery;

import io.nixlkv.spi.SpiVersion;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.pf4j.DefaultVersionManager;
import org.pf4j.ManifestPluginDescriptorFinder;
import org.pf4j.PluginDependency;

/** Reads a jar's manifest and services file and refuses what cannot work, before any class of it is loaded. */
final class JarInspection {
    /** The one resource in which a jar lists its strategies. */
    static final String SERVICES = "META-INF/services/" + StorageStrategy.class.getName();

    private static final Pattern CLASS_NAME =
            Pattern.compile("[\\p{javaJavaIdentifierStart}][\\p{javaJavaIdentifierPart}.]*");
    private static final String ANY_VERSION = "*";

    private JarInspection() {}

    /** @throws RefusedException if no strategy can come from this jar */
    static PluginJar inspect(Path path) throws RefusedException {
        refuseWhatIsNoFile(path);
        try (JarFile jar = new JarFile(path.toFile(), false)) {
            Manifest manifest = jar.getManifest();
            if (manifest == null) {
                throw new RefusedException(
                        "has no META-INF/MANIFEST.MF; a plugin's manifest states Plugin-Id, Plugin-Version and Plugin-Requires");
            }
            return described(path, manifest.getMainAttributes(), strategies(jar));
        } catch (IOException | RuntimeException unreadable) {
            throw new RefusedException(
                    "cannot be read as a jar (" + Failures.text(unreadable)
                            + "); it may be truncated: build or copy it again",
                    unreadable);
        }
    }

    private static void refuseWhatIsNoFile(Path path) throws RefusedException {
        if (!Files.exists(path)) {
            throw new RefusedException("is a symbolic link to a file that does not exist; remove or repair it");
        }
        if (!Files.isRegularFile(path)) {
            throw new RefusedException("is a folder or special file, not a jar; only jar files are read");
        }
        if (!Files.isReadable(path)) {
            throw new RefusedException("cannot be read by this user; change its permissions");
        }
        if (!path.toFile().exists()) {
            throw new RefusedException("its path cannot be expressed in this locale's encoding ("
                    + System.getProperty("sun.jnu.encoding") + "); run with a UTF-8 locale such as LC_ALL=C.UTF-8");
        }
        if (path.toFile().length() == 0) {
            throw new RefusedException("is empty (0 bytes); build or copy it again");
        }
    }

    private static PluginJar described(Path path, Attributes attributes, List<String> strategies)
            throws RefusedException {
        List<String> absent = new ArrayList<>();
        String id = required(attributes, ManifestPluginDescriptorFinder.PLUGIN_ID, absent);
        String version = required(attributes, ManifestPluginDescriptorFinder.PLUGIN_VERSION, absent);
        String requires = required(attributes, ManifestPluginDescriptorFinder.PLUGIN_REQUIRES, absent);
        if (!absent.isEmpty()) {
            throw new RefusedException("its manifest has no " + String.join(", no ", absent)
                    + "; a plugin states Plugin-Id, Plugin-Version and the storage SPI it was built for, such as"
                    + " Plugin-Requires: ^" + SpiVersion.CURRENT);
        }
        refuseOtherSpi(requires);
        return new PluginJar(
                path,
                id,
                version,
                requires,
                dependencies(text(attributes, ManifestPluginDescriptorFinder.PLUGIN_DEPENDENCIES)),
                Optional.of(text(attributes, ManifestPluginDescriptorFinder.PLUGIN_CLASS))
                        .filter(name -> !name.isEmpty()),
                strategies);
    }

    private static void refuseOtherSpi(String requires) throws RefusedException {
        if (requires.equals(ANY_VERSION)) {
            throw new RefusedException(
                    "its Plugin-Requires is *, which names no version of the storage SPI; state the one it"
                            + " was built for, such as ^" + SpiVersion.CURRENT);
        }
        boolean fits;
        try {
            fits = new DefaultVersionManager().checkVersionConstraint(SpiVersion.CURRENT, requires);
        } catch (RuntimeException noRange) {
            throw new RefusedException(
                    "its Plugin-Requires is \"" + requires
                            + "\", which is no range of versions; this host has storage SPI " + SpiVersion.CURRENT
                            + ", so write ^" + SpiVersion.CURRENT,
                    noRange);
        }
        if (!fits) {
            throw new RefusedException("needs storage SPI " + requires + ", this host has " + SpiVersion.CURRENT
                    + "; take the build of the plugin for SPI " + SpiVersion.CURRENT
                    + ", or a nixlkv whose SPI is " + requires);
        }
    }

    private static List<PluginDependency> dependencies(String text) throws RefusedException {
        List<PluginDependency> dependencies = Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .map(PluginDependency::new)
                .toList();
        if (dependencies.stream()
                .anyMatch(dependency -> dependency.getPluginId().isBlank())) {
            throw new RefusedException(
                    "its Plugin-Dependencies is \"" + text + "\"; write plugin-id@version, separated by commas");
        }
        return dependencies;
    }

    private static List<String> strategies(JarFile jar) throws IOException, RefusedException {
        ZipEntry entry = jar.getEntry(SERVICES);
        if (entry == null) {
            return List.of();
        }
        Set<String> names = new LinkedHashSet<>();
        for (String line : new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8).split("\\R")) {
            String name = line.replaceFirst("#.*", "").strip();
            if (!name.isEmpty() && !CLASS_NAME.matcher(name).matches()) {
                throw new RefusedException(SERVICES + " has the line \"" + name + "\", which is no class name");
            }
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            throw new RefusedException(SERVICES + " lists no class; write the strategy's class name into it");
        }
        return List.copyOf(names);
    }

    private static String required(Attributes attributes, String key, List<String> absent) {
        String value = text(attributes, key);
        if (value.isEmpty()) {
            absent.add(key);
        }
        return value;
    }

    private static String text(Attributes attributes, String key) {
        String value = attributes.getValue(key);
        return value == null ? "" : value.strip();
    }
}
