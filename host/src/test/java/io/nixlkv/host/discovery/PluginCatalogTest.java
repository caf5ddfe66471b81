package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nixlkv.spi.StorageException;
import io.nixlkv.spi.StorageStrategy;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginCatalogTest {
    @TempDir
    Path folder;

    @Test
    void anAbsentFolderLeavesTheClassPath() {
        try (PluginCatalog catalog = PluginCatalog.discover(folder.resolve("absent"))) {
            assertEquals(List.of(), PluginFolder.namesFromJars(catalog));
            assertEquals(List.of(), catalog.rejections());
        }
    }

    @Test
    void aFileInPlaceOfTheFolderIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("plugins"), "text");
        try (PluginCatalog catalog = PluginCatalog.discover(file)) {
            assertEquals(
                    List.of(new Rejection(
                            file.toString(),
                            "is not a folder that can be read (java.nio.file.NotDirectoryException: " + file + ")")),
                    catalog.rejections());
        }
    }

    @Test
    void aJarGivesItsStrategiesWithSourceAndVersion() {
        TestJar.at(folder, "two.jar")
                .strategy(StrategySource.of("acme.One", "ONE"))
                .strategy(StrategySource.of("acme.Two", "TWO"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("ONE", "TWO"), PluginFolder.namesFromJars(catalog));
            FoundStrategy two = catalog.find("TWO").orElseThrow();
            assertEquals("two.jar", two.source());
            assertEquals("1.2.3", two.version());
            assertEquals("A test strategy.", two.info().summary());
            assertThrows(StorageException.class, () -> two.strategy().open(null));
            assertEquals(List.of(), catalog.rejections());
        }
    }

    @Test
    void entriesForFoldersMayBeThereOrNot() {
        TestJar.good(folder, "without.jar", "WITHOUT");
        TestJar.at(folder, "with.jar")
                .entry("META-INF/services/", "")
                .entry("acme/", "")
                .strategy(StrategySource.of("acme.Strategy", "WITH"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("WITH", "WITHOUT"), PluginFolder.namesFromJars(catalog));
        }
    }

    @Test
    void jarsComeInTheOrderOfTheirNamesWhateverTheirAge() {
        TestJar.good(folder, "b.jar", "FROM_B");
        TestJar.good(folder, "c.jar", "FROM_C");
        TestJar.good(folder, "a.jar", "FROM_A");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("FROM_A", "FROM_B", "FROM_C"), PluginFolder.namesFromJars(catalog));
        }
    }

    @Test
    void aStrategyIsMadeOnceAndKept() {
        TestJar.good(folder, "good.jar", "GOOD");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            StorageStrategy first = catalog.find("GOOD").orElseThrow().strategy();
            assertSame(first, catalog.find("good").orElseThrow().strategy());
        }
    }

    @Test
    void namesAndAliasesAreFoundInAnySpelling() {
        TestJar.at(folder, "gds.jar")
                .strategy(StrategySource.of("acme.Gds", "GDS_MT").withAliases("GDS_MULTI", "PLAIN"))
                .write();
        TestJar.good(folder, "plain.jar", "PLAIN");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("gds.jar", catalog.find("gds-mt").orElseThrow().source());
            assertEquals("gds.jar", catalog.find("Gds-Multi").orElseThrow().source());
            assertEquals("plain.jar", catalog.find("plain").orElseThrow().source(), "a name goes before an alias");
            assertEquals(Optional.empty(), catalog.find("OTHER"));
        }
    }

    @Test
    void aStrategyMayAdoptANameAndTheAdoptedOneIsKept() {
        TestJar.at(folder, "a-broken.jar")
                .strategy(StrategySource.of("acme.Broken", "BROKEN")
                        .withMembers("@Override public Optional<StorageStrategy> adopt(String name) {"
                                + " throw new StackOverflowError(\"no\"); }"))
                .write();
        TestJar.at(folder, "nixl.jar")
                .strategy(
                        StrategySource.of("acme.Nixl", "NIXL")
                                .withMembers(
                                        "@Override public Optional<StorageStrategy> adopt(String name) {"
                                                + " return name.equals(\"INFINIA\") ? Optional.of(new Infinia()) : Optional.empty(); }"))
                .alsoClass(StrategySource.of("acme.Infinia", "INFINIA"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            FoundStrategy adopted = catalog.find("INFINIA").orElseThrow();
            assertEquals("nixl.jar", adopted.source());
            assertEquals("INFINIA", adopted.info().name());
            assertSame(adopted, catalog.find("INFINIA").orElseThrow());
            assertEquals(Optional.empty(), catalog.find("ACME_KV"));
            assertEquals(List.of("BROKEN", "NIXL"), PluginFolder.namesFromJars(catalog));
        }
    }

    @Test
    void theClassPathWinsAndTheShadowedJarIsNamed() throws IOException {
        Path classPath = Files.createDirectory(folder.resolve("lib"));
        Path onClassPath = TestJar.at(classPath, "embedded.jar")
                .strategy(StrategySource.of("acme.Embedded", "SAME"))
                .manifest("Implementation-Version", "7.1")
                .write();
        TestJar.good(folder, "dropped.jar", "SAME");
        TestJar.good(folder, "other.jar", "OTHER");
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {onClassPath.toUri().toURL()}, getClass().getClassLoader());
                PluginCatalog catalog = PluginCatalog.discover(folder, loader)) {
            FoundStrategy same = catalog.find("SAME").orElseThrow();
            assertEquals("class path", same.source());
            assertEquals("7.1", same.version());
            assertEquals("other.jar", catalog.find("OTHER").orElseThrow().source());
            assertEquals(
                    List.of("its strategy SAME is on the class path already, which wins; remove one of the two"),
                    PluginFolder.reasons(catalog, "dropped.jar"));
        }
    }

    @Test
    void aBadClassOnTheClassPathCostsNoOther() throws IOException {
        Path classPath = Files.createDirectory(folder.resolve("lib"));
        Path onClassPath = TestJar.at(classPath, "embedded.jar")
                .serviceLine("acme.Absent")
                .strategy(StrategySource.of("acme.Throws", "THROWS")
                        .withConstructor("throw new IllegalStateException(\"not today\");"))
                .strategy(StrategySource.of("acme.Links", "LINKS")
                        .withStaticBlock("if (true) throw new UnsatisfiedLinkError(\"libacme.so\");"))
                .strategy(StrategySource.of("acme.Embedded", "EMBEDDED"))
                .write();
        TestJar.good(folder, "good.jar", "GOOD");
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {onClassPath.toUri().toURL()}, getClass().getClassLoader());
                PluginCatalog catalog = PluginCatalog.discover(folder, loader)) {
            assertEquals("class path", catalog.find("EMBEDDED").orElseThrow().source());
            assertEquals("good.jar", catalog.find("GOOD").orElseThrow().source());
            List<String> reasons = PluginFolder.reasons(catalog, "class path");
            assertEquals(3, reasons.size(), reasons::toString);
            assertTrue(reasons.get(0).contains("acme.Absent not found"), reasons.get(0));
            assertTrue(reasons.get(1).contains("java.lang.IllegalStateException: not today"), reasons.get(1));
            assertTrue(reasons.get(2).contains("java.lang.UnsatisfiedLinkError: libacme.so"), reasons.get(2));
        }
    }

    @Test
    void theSecondJarOfOneStrategyIsRefusedAndBothAreNamed() {
        TestJar.good(folder, "posix-1.jar", "GOOD");
        TestJar.at(folder, "posix-2.jar")
                .manifest("Plugin-Id", "posix-1")
                .strategy(StrategySource.of("acme.good.Strategy", "GOOD"))
                .strategy(StrategySource.of("acme.good.Extra", "EXTRA"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("posix-1.jar", catalog.find("GOOD").orElseThrow().source());
            assertEquals("posix-2.jar", catalog.find("EXTRA").orElseThrow().source(), "one Plugin-Id, two strategies");
            assertEquals(
                    List.of("its strategy GOOD is given by posix-1.jar already, and the first by file name is used;"
                            + " remove one of the two"),
                    PluginFolder.reasons(catalog, "posix-2.jar"));
        }
    }

    @Test
    void aFirstJarThatFailsDoesNotCostTheSecondOfTheSameId() {
        TestJar.at(folder, "posix-1.jar")
                .strategy(StrategySource.of("acme.Posix", "SAME").withConstructor("throw new RuntimeException(\"x\");"))
                .write();
        TestJar.at(folder, "posix-2.jar")
                .manifest("Plugin-Id", "posix-1")
                .strategy(StrategySource.of("acme.Posix", "SAME"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("posix-2.jar", catalog.find("SAME").orElseThrow().source());
        }
    }

    @Test
    void oneBadClassOfAJarDoesNotCostItsOtherStrategy() {
        TestJar.at(folder, "mixed.jar")
                .strategy(StrategySource.of("acme.Bad", "BAD").withInfoBody("throw new IllegalStateException(\"no\");"))
                .strategy(StrategySource.of("acme.Fine", "FINE"))
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("FINE"), PluginFolder.namesFromJars(catalog));
            assertEquals(
                    List.of("info() of acme.Bad failed with java.lang.IllegalStateException: no"),
                    PluginFolder.reasons(catalog, "mixed.jar"));
        }
    }

    @Test
    void closingTwiceIsHarmless() {
        TestJar.good(folder, "good.jar", "GOOD");
        PluginCatalog catalog = PluginCatalog.discover(folder);
        catalog.close();
        catalog.close();
        assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
    }
}
