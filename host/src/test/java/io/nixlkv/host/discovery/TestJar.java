package io.nixlkv.host.discovery;

import io.nixlkv.spi.SpiVersion;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Builds one plugin jar for a test. Without further words it has a right manifest (Plugin-Id is the file name without {@code
 * .jar}, version 1.2.3) and, for every strategy given, its class and a line in the services file.
 */
final class TestJar {
    private final Path path;
    private final Map<String, String> manifest = new LinkedHashMap<>();
    private final List<StrategySource> sources = new ArrayList<>();
    private final List<String> serviceLines = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final Map<String, Integer> classFileVersions = new LinkedHashMap<>();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private boolean hasManifest = true;
    private boolean hasServices = true;

    private TestJar(Path path) {
        this.path = path;
        manifest.put("Plugin-Id", path.getFileName().toString().replaceFirst("\\.jar$", ""));
        manifest.put("Plugin-Version", "1.2.3");
        manifest.put("Plugin-Requires", "^" + SpiVersion.CURRENT);
    }

    static TestJar at(Path folder, String fileName) {
        return new TestJar(folder.resolve(fileName));
    }

    /** Writes a jar with one strategy without fault. */
    static void good(Path folder, String fileName, String strategyName) {
        at(folder, fileName)
                .strategy(StrategySource.of("acme.good.Strategy", strategyName))
                .write();
    }

    TestJar manifest(String key, String value) {
        manifest.put(key, value);
        return this;
    }

    TestJar without(String key) {
        manifest.remove(key);
        return this;
    }

    TestJar withoutManifest() {
        hasManifest = false;
        return this;
    }

    TestJar withoutServices() {
        hasServices = false;
        return this;
    }

    TestJar strategy(StrategySource source) {
        sources.add(source);
        serviceLines.add(source.className());
        return this;
    }

    TestJar alsoClass(StrategySource source) {
        sources.add(source);
        return this;
    }

    TestJar serviceLine(String line) {
        serviceLines.add(line);
        return this;
    }

    /** Compiles against the class, but leaves it out of the jar. */
    TestJar leavingOut(String className) {
        left.add(className);
        return this;
    }

    TestJar classFileVersion(String className, int major) {
        classFileVersions.put(className, major);
        return this;
    }

    TestJar entry(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    TestJar entry(String name, String content) {
        return entry(name, content.getBytes(StandardCharsets.UTF_8));
    }

    Path write() {
        Map<String, byte[]> classes =
                new LinkedHashMap<>(sources.isEmpty() ? Map.of() : SourceCompiler.compile(sources));
        classes.keySet().removeAll(left);
        classFileVersions.forEach(
                (name, major) -> ByteBuffer.wrap(classes.get(name)).putShort(6, (short) (int) major));
        try (OutputStream file = Files.newOutputStream(path);
                JarOutputStream jar = new JarOutputStream(file)) {
            if (hasManifest) {
                put(jar, JarFile.MANIFEST_NAME, null);
            }
            for (Map.Entry<String, byte[]> type : classes.entrySet()) {
                put(jar, type.getKey().replace('.', '/') + ".class", type.getValue());
            }
            if (hasServices) {
                byte[] lines = String.join("\n", serviceLines).getBytes(StandardCharsets.UTF_8);
                put(jar, "META-INF/services/" + StorageStrategy.class.getName(), lines);
            }
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                put(jar, entry.getKey(), entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path;
    }

    private void put(JarOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        if (content == null) {
            manifestText().write(jar);
        } else {
            jar.write(content);
        }
        jar.closeEntry();
    }

    private Manifest manifestText() {
        Manifest text = new Manifest();
        text.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach((key, value) -> text.getMainAttributes().putValue(key, value));
        return text;
    }
}
