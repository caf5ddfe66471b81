package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pf4j.Plugin;
import org.slf4j.LoggerFactory;

/** What a plugin's class loader can see. */
class PluginIsolationTest {
    private static final String SERVICES = "META-INF/services/io.nixlkv.spi.StorageStrategy";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.nixlkv.host.discovery.PluginCatalog",
                "io.nixlkv.api.KvStore",
                "com.fasterxml.jackson.databind.ObjectMapper",
                "org.tomlj.Toml",
                "com.github.zafarkhaja.semver.Version",
                "org.junit.jupiter.api.Test"
            })
    void theHostAndItsLibrariesAreInvisible(String className) throws ClassNotFoundException {
        assertNotNull(Class.forName(className, false, getClass().getClassLoader()));
        withLoader(loader -> assertThrows(ClassNotFoundException.class, () -> loader.loadClass(className)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.sql.Driver",
                "javax.crypto.Cipher",
                "com.sun.nio.file.ExtendedOpenOption",
                "sun.misc.Unsafe",
                "jdk.net.ExtendedSocketOptions",
                "org.w3c.dom.Document"
            })
    void theClassesOfTheJdkAreVisible(String className) {
        withLoader(loader -> assertSame(Class.forName(className), loader.loadClass(className)));
    }

    @Test
    void theSharedPackagesAreTheHosts() {
        withLoader(loader -> {
            assertSame(StorageStrategy.class, loader.loadClass("io.nixlkv.spi.StorageStrategy"));
            assertSame(LoggerFactory.class, loader.loadClass("org.slf4j.LoggerFactory"));
            assertSame(Plugin.class, loader.loadClass("org.pf4j.Plugin"));
            assertNotNull(loader.getResource("io/nixlkv/spi/StorageStrategy.class"));
        });
    }

    @Test
    void resourcesOfTheHostAreInvisible() throws IOException {
        String hostServices = "META-INF/services/com.fasterxml.jackson.core.ObjectCodec";
        assertNotNull(ObjectMapper.class.getClassLoader().getResource(hostServices));
        withLoader(loader -> {
            assertNull(loader.getResource(hostServices));
            assertFalse(loader.getResources(hostServices).hasMoreElements());
            assertFalse(loader.getResources("META-INF/services/org.slf4j.spi.SLF4JServiceProvider")
                    .hasMoreElements());
            assertNull(loader.getResource("io/nixlkv/host/discovery/PluginCatalog.class"));
            assertEquals(1, Collections.list(loader.getResources(SERVICES)).size(), "its own only");
            assertEquals(
                    1,
                    Collections.list(loader.getResources("META-INF/MANIFEST.MF"))
                            .size(),
                    "its own only");
        });
    }

    @Test
    void aPluginThatBundlesTheSpiWorks() {
        StrategySource copy = StrategySource.plain(
                "io.nixlkv.spi.StorageStrategy",
                "package io.nixlkv.spi; public interface StorageStrategy { String stale(); }");
        byte[] stale = SourceCompiler.compile(List.of(copy)).get(copy.className());
        TestJar.at(folder, "fat.jar")
                .strategy(StrategySource.of("acme.Fat", "FAT"))
                .entry("io/nixlkv/spi/StorageStrategy.class", stale)
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("fat.jar", catalog.find("FAT").orElseThrow().source());
            assertEquals(List.of(), catalog.rejections());
        }
    }

    @Test
    void aPluginPrefersItsOwnLibraries() {
        TestJar.at(folder, "own.jar")
                .strategy(StrategySource.of("acme.Own", "OWN"))
                .alsoClass(StrategySource.plain("org.tomlj.Toml", "package org.tomlj; public class Toml {}"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            ClassLoader loader = loaderOf(catalog, "OWN");
            assertNotSame(org.tomlj.Toml.class, load(loader, "org.tomlj.Toml"));
            assertSame(loader, load(loader, "org.tomlj.Toml").getClassLoader());
        }
    }

    @Test
    void pluginsDoNotSeeEachOther() {
        TestJar.good(folder, "a.jar", "A");
        TestJar.good(folder, "b.jar", "B");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertNotSame(
                    load(loaderOf(catalog, "A"), "acme.good.Strategy"),
                    load(loaderOf(catalog, "B"), "acme.good.Strategy"));
        }
    }

    @Test
    void otherServicesOfAJarAreNotTouched() {
        TestJar.at(folder, "sdk.jar")
                .strategy(StrategySource.of("acme.Sdk", "SDK"))
                .entry("META-INF/services/reactor.blockhound.integration.BlockHoundIntegration", "acme.Absent")
                .entry("META-INF/extensions.idx", "acme.Sdk")
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("SDK"), PluginFolder.namesFromJars(catalog), "once, not once for each list");
            assertEquals(List.of(), catalog.rejections());
        }
    }

    private interface Look {
        void at(ClassLoader loader) throws Exception;
    }

    private void withLoader(Look look) {
        TestJar.good(folder, "good.jar", "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            ClassLoader loader = loaderOf(catalog, "GOOD");
            assertNotSame(getClass().getClassLoader(), loader);
            look.at(loader);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ClassLoader loaderOf(PluginCatalog catalog, String strategy) {
        return ((GuardedStrategy) catalog.find(strategy).orElseThrow().strategy())
                .plugin()
                .getClass()
                .getClassLoader();
    }

    private static Class<?> load(ClassLoader loader, String className) {
        try {
            return loader.loadClass(className);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
