package io.nixlkv.host.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plugins that need other plugins. */
class PluginDependencyTest {
    @TempDir
    Path folder;

    @BeforeEach
    void theGoodOne() {
        TestJar.good(folder, "good.jar", "GOOD");
    }

    @Test
    void oneThatIsAbsent() {
        write("bad.jar", "BAD", "ghost@1.0");
        assertEquals(
                "needs plugin ghost in version 1.0, which is not among the usable jars of the plugins folder;"
                        + " add it there",
                PluginFolder.reasonBesideGood(folder, "bad.jar"));
    }

    @Test
    void oneThatWasRefusedItself() {
        write("a.jar", "A", "b");
        write("b.jar", "B", "c");
        write("c.jar", "C", "ghost");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
            assertTrue(PluginFolder.reasons(catalog, "a.jar").get(0).startsWith("needs plugin b in version *, which"));
            assertTrue(PluginFolder.reasons(catalog, "b.jar").get(0).startsWith("needs plugin c in version *, which"));
            assertTrue(PluginFolder.reasons(catalog, "c.jar").get(0).startsWith("needs plugin ghost in version *"));
        }
    }

    @Test
    void aWrongVersionCostsTheDependentAndNotTheOther() {
        write("bad.jar", "BAD", "good@99.0.0");
        assertEquals(
                "needs plugin good in version 99.0.0, but good.jar has version 1.2.3",
                PluginFolder.reasonBesideGood(folder, "bad.jar"));
    }

    @Test
    void aVersionThatCannotBeCompared() {
        TestJar.at(folder, "odd.jar")
                .manifest("Plugin-Version", "unspecified")
                .strategy(StrategySource.of("acme.Odd", "ODD"))
                .write();
        write("bad.jar", "BAD", "odd@1.0");
        assertEquals(
                "needs plugin odd in version 1.0, but odd.jar has version unspecified, and the two cannot be compared;"
                        + " versions have the form 1.2.3",
                PluginFolder.reasonBesideGood(folder, "bad.jar"));
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("GOOD", "ODD"), PluginFolder.namesFromJars(catalog));
        }
    }

    @Test
    void aCycle() {
        write("a.jar", "A", "b");
        write("b.jar", "B", "a");
        write("c.jar", "C", "a");
        write("self.jar", "SELF", "self");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals(List.of("GOOD"), PluginFolder.namesFromJars(catalog));
            for (String jar : List.of("a.jar", "b.jar", "c.jar", "self.jar")) {
                assertEquals(
                        List.of("Plugin-Dependencies lead in a circle, or to one, among these jars:"
                                + " a.jar, b.jar, c.jar, self.jar"),
                        PluginFolder.reasons(catalog, jar));
            }
        }
    }

    @Test
    void anOptionalOneMayBeAbsent() {
        write("other.jar", "OTHER", "ghost?@1.0");
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("other.jar", catalog.find("OTHER").orElseThrow().source());
            assertEquals(List.of(), catalog.rejections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared@>=1.0.0", "shared?@>=1.0.0", "shared"})
    void aJarOfSharedClassesNeedsNoStrategy(String dependency) {
        StrategySource base = StrategySource.plain("acme.Base", "package acme; public class Base {}");
        TestJar.at(folder, "shared.jar").withoutServices().alsoClass(base).write();
        TestJar.at(folder, "other.jar")
                .manifest("Plugin-Dependencies", dependency)
                .strategy(StrategySource.of("acme.Other", "OTHER").extending("Base"))
                .alsoClass(base)
                .leavingOut("acme.Base")
                .write();
        try (PluginCatalog catalog = PluginCatalog.discover(folder)) {
            assertEquals("other.jar", catalog.find("OTHER").orElseThrow().source());
            assertEquals(List.of(), catalog.rejections());
        }
    }

    @Test
    void aListThatCannotBeRead() {
        write("bad.jar", "BAD", "@1.0");
        assertEquals(
                "its Plugin-Dependencies is \"@1.0\"; write plugin-id@version, separated by commas",
                PluginFolder.reasonBesideGood(folder, "bad.jar"));
    }

    private void write(String file, String strategy, String dependencies) {
        TestJar.at(folder, file)
                .manifest("Plugin-Dependencies", dependencies)
                .strategy(StrategySource.of("acme.Dependent", strategy))
                .write();
    }
}
