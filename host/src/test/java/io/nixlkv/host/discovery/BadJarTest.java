package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.SpiVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jars that are refused before a class of them is loaded, each beside a good one. */
class BadJarTest {
    private static final String SERVICES = "META-INF/services/io.nixlkv.spi.StorageStrategy";

    @TempDir
    Path folder;

    @Test
    void anEmptyFile() throws IOException {
        Files.createFile(folder.resolve("bad.jar"));
        assertEquals("is empty (0 bytes); build or copy it again", reason());
    }

    @Test
    void aTruncatedJar() throws IOException {
        Path jar = bad().write();
        byte[] bytes = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));
        assertEquals(
                "cannot be read as a jar (java.util.zip.ZipException: zip END header not found);"
                        + " it may be truncated: build or copy it again",
                reason());
    }

    @Test
    void aFileThatIsNoJar() throws IOException {
        Files.writeString(folder.resolve("bad.jar"), "404: Not Found");
        assertTrue(reason().startsWith("cannot be read as a jar (java.util.zip.ZipException: "));
    }

    @Test
    void aDirectoryCalledJar() throws IOException {
        Files.createDirectory(folder.resolve("bad.jar"));
        assertEquals("is a folder or special file, not a jar; only jar files are read", reason());
    }

    @Test
    void aLinkToNowhere() throws IOException {
        Files.createSymbolicLink(folder.resolve("bad.jar"), folder.resolve("gone"));
        assertEquals("is a symbolic link to a file that does not exist; remove or repair it", reason());
    }

    @Test
    void aJarWithoutManifest() {
        bad().withoutManifest().write();
        assertEquals(
                "has no META-INF/MANIFEST.MF; a plugin's manifest states Plugin-Id, Plugin-Version and Plugin-Requires",
                reason());
    }

    @Test
    void aManifestThatCannotBeParsed() {
        bad().withoutManifest()
                .entry("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nno colon here\n")
                .write();
        assertTrue(reason().startsWith("cannot be read as a jar (java.io.IOException: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Plugin-Id", "Plugin-Version", "Plugin-Requires"})
    void aManifestWithoutAnEntry(String key) {
        bad().without(key).write();
        assertEquals(
                "its manifest has no " + key
                        + "; a plugin states Plugin-Id, Plugin-Version and the storage SPI it was built for,"
                        + " such as Plugin-Requires: ^0.1.0",
                reason());
    }

    @Test
    void aLibraryThatIsNoPlugin() {
        bad().without("Plugin-Id")
                .without("Plugin-Version")
                .without("Plugin-Requires")
                .withoutServices()
                .write();
        assertTrue(reason().startsWith("its manifest has no Plugin-Id, no Plugin-Version, no Plugin-Requires;"));
    }

    @Test
    void anEmptyVersion() {
        bad().manifest("Plugin-Version", " ").write();
        assertTrue(reason().startsWith("its manifest has no Plugin-Version;"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0", "1.0-SNAPSHOT", "unspecified", "2026.11.29+git"})
    void aVersionOfAnyFormIsTaken(String version) {
        bad().manifest("Plugin-Version", version).write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(version, catalog.find("OTHER").orElseThrow().version());
            assertEquals(List.of(), PluginFolder.reasons(catalog, "bad.jar"));
        }
    }

    @ParameterizedTest
    @CsvSource({"^0.0.9", "^0.2.0", "1", "2", "999", "1.9", "0.0.9", "0.1.1", ">=0.2.0", "<0.1.0"})
    void anotherVersionOfTheSpi(String requires) {
        bad().manifest("Plugin-Requires", requires)
                .strategy(StrategySource.of("acme.Never", "NEVER")
                        .withStaticBlock("System.setProperty(\"acme.never.loaded\", \"yes\");"))
                .write();
        assertEquals(
                "needs storage SPI " + requires + ", this host has " + SpiVersion.CURRENT
                        + "; take the build of the plugin for SPI 0.1.0, or a nixlkv whose SPI is " + requires,
                reason());
        assertNull(System.getProperty("acme.never.loaded"), "refused before a class of it is loaded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"^0.1.0", "~0.1.0", "0", "0.1.0", ">=0.1.0", ">=0.1.0 & <0.3.0", "0.1", "0.1.x"})
    void aRangeThatHolds(String requires) {
        bad().manifest("Plugin-Requires", requires).write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("bad.jar", catalog.find("OTHER").orElseThrow().source());
        }
    }

    @Test
    void aRangeThatIsNone() {
        bad().manifest("Plugin-Requires", "abc").write();
        assertEquals(
                "its Plugin-Requires is \"abc\", which is no range of versions;"
                        + " this host has storage SPI 0.1.0, so write ^0.1.0",
                reason());
    }

    @Test
    void aRangeThatHoldsForEverything() {
        bad().manifest("Plugin-Requires", "*").write();
        assertEquals(
                "its Plugin-Requires is *, which names no version of the storage SPI;"
                        + " state the one it was built for, such as ^0.1.0",
                reason());
    }

    @Test
    void aJarWithoutServicesFile() {
        bad().withoutServices().write();
        assertEquals("jar contains no " + SERVICES + "; list its strategy's class name there", reason());
    }

    @Test
    void anEmptyServicesFile() {
        TestJar.at(folder, "bad.jar").serviceLine("# nothing yet").write();
        assertEquals(SERVICES + " lists no class; write the strategy's class name into it", reason());
    }

    @Test
    void aServicesFileWithALineThatIsNoClassName() {
        bad().serviceLine("acme.Other = OTHER").write();
        assertEquals(SERVICES + " has the line \"acme.Other = OTHER\", which is no class name", reason());
    }

    @Test
    void commentsAndRepeatedLinesInAServicesFileAreFine() {
        bad().serviceLine("# the strategy").serviceLine("  acme.Other  # again").write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("bad.jar", catalog.find("OTHER").orElseThrow().source());
            assertEquals(List.of(), PluginFolder.reasons(catalog, "bad.jar"));
        }
    }

    @Test
    void aDeclaredPluginClassIsNeitherLoadedNorStarted() {
        bad().manifest("Plugin-Class", "acme.Starter")
                .alsoClass(StrategySource.plain(
                        "acme.Starter",
                        "package acme; public class Starter { static { if (true) throw new RuntimeException(); } }"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("bad.jar", catalog.find("OTHER").orElseThrow().source());
            assertEquals(List.of(), PluginFolder.reasons(catalog, "bad.jar"));
        }
    }

    @Test
    void zipsAndNestedArchivesAndOtherFilesAreIgnored() throws IOException {
        Path nested = Files.createDirectory(folder.resolve("more"));
        TestJar.good(nested, "nested.jar", "NESTED");
        TestJar.at(folder, "packed.zip")
                .entry("../evil", "escaped")
                .entry("lib/nested.jar", Files.readAllBytes(nested.resolve("nested.jar")))
                .write();
        Files.writeString(folder.resolve("README"), "text");
        TestJar.good(folder, "good.jar", "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
            assertEquals(List.of(), catalog.rejections());
        }
        assertTrue(Files.notExists(folder.resolveSibling("evil")));
    }

    private TestJar bad() {
        return TestJar.at(folder, "bad.jar").strategy(StrategySource.of("acme.Other", "OTHER"));
    }

    private String reason() {
        return PluginFolder.reasonBesideGood(folder, "bad.jar");
    }
}
